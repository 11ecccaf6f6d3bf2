import { expect, test } from 'bun:test'
import { tellMediaType } from './tell-media-type.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const ftyp = (brand: string): string => `\0\0\0\x18ftyp${brand}\0\0\0\0`

test.each([
  // The bytes decide, whatever the answer says.
  ['\x89PNG\r\n\x1a\n\0\0', 'image/jpeg', 'image/png'],
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'application/octet-stream', 'image/jpeg'],
  ['GIF89a\x01', null, 'image/gif'],
  ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp; charset=binary', 'image/webp'],
  [ftyp('heic'), 'image/heic', 'image/heic'],
  [ftyp('mif1'), 'image/heif', 'image/heif'],
  ['%PDF-1.7\n\0', 'binary/octet-stream', 'application/pdf'],
  ['RIFF\x24\0\0\0WAVEfmt ', 'audio/x-wav', 'audio/wav'],
  ['ID3\x03\0', 'audio/mpeg', 'audio/mpeg'],
  ['\xff\xfb\x90\x64', 'audio/mpeg', 'audio/mpeg'],
  ['\xff\xf1\x50\x80', 'audio/aac', 'audio/aac'],
  ['OggS\0', 'application/octet-stream', 'audio/ogg'],
  [ftyp('M4A '), 'audio/x-m4a', 'audio/mp4'],
  // Text has no mark: it must be said to be text, or nothing, and read as text.
  ['# Notes', 'text/markdown; charset=utf-8', 'text/markdown'],
  ['{"a":1}', 'Application/JSON', 'text/plain'],
  ['a,b\n1,2', null, 'text/plain'],
  ['\xc3\xa4', 'application/octet-stream', 'text/plain'],
  ['<p>a fragment in a note</p>', 'text/plain', 'text/plain'],
])('%j said to be %p is %p', (text, declared, expected) => {
  expect(tellMediaType(bytes(text), declared)).toBe(expected)
})

test.each([
  ['<!doctype html><title>Sign in</title>', 'image/png'],
  ['<!DOCTYPE html>\n<html>', 'text/plain'],
  ['\xef\xbb\xbf\n <html lang="en">', null],
  ['<?xml version="1.0"?>\n<!-- x --><html xmlns="a">', 'application/xml'],
  ['anything', 'text/html; charset=utf-8'],
  ['\x89PNG\r\n\x1a\n\0\0', 'text/html'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
  ['plain words', 'image/png'],
  ['plain words', 'application/pdf'],
  ['MZ\x90\0\x03', 'application/octet-stream'],
  ['PK\x03\x04\x14\0', 'application/zip'],
  [ftyp('isom'), 'video/mp4'],
  [ftyp('__proto__'), 'image/heic'],
  ['\xff\xfea\0', 'text/plain'],
  ['\xff\xff', 'text/plain'],
  ['XXXX\x24\0\0\0WEBP', 'image/webp'],
  ['', 'text/plain'],
  ['', null],
])('%j said to be %p is refused', (text, declared) => {
  expect(tellMediaType(bytes(text), declared)).toBeUndefined()
})
