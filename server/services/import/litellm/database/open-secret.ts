import { createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { openSecretBox } from './secret-box.ts'

/** How the key is made of the one that LiteLLM was given, by what stands in front of the value. */
const byPrefix: Readonly<Record<string, (key: string) => Uint8Array>> = {
  'v3:gcm:': key => new Uint8Array(hkdfSync('sha256', key, '', 'litellm-at-rest-v3', 32)),
  'v2:gcm:': hashed,
}
const NONCE = 12
const TAG = 16
/** A nonce and a tag, before anything is in it. */
const SHORTEST_BOX = 40
const BASE64 = /^[\w+/-]+={0,2}$/

/** A value as LiteLLM's database holds it; undefined where it is sealed and the key is another. */
export function openSecret(value: string, key: string): string | undefined {
  const prefix = Object.keys(byPrefix).find(each => value.startsWith(each))
  if (prefix) return openGcm(value.slice(prefix.length), byPrefix[prefix]?.(key) ?? hashed(key))
  return openSecretBox(Buffer.from(value, 'base64'), hashed(key))?.toString('utf8')
}

/** Whether it is sealed, or what is not: those without a sign are bytes written as letters, and many. */
export function looksSealed(value: string): boolean {
  if (hasSeal(value)) return true
  return BASE64.test(value) && Buffer.from(value, 'base64').length >= SHORTEST_BOX
}

/** Whether it says itself that it is. */
export function hasSeal(value: string): boolean {
  return Object.keys(byPrefix).some(prefix => value.startsWith(prefix))
}

function openGcm(text: string, key: Uint8Array): string | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length < NONCE + TAG) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE))
  decipher.setAuthTag(bytes.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function hashed(key: string): Uint8Array {
  return createHash('sha256').update(key).digest()
}
