import { expect, test } from 'bun:test'
import type { ApiAddress } from '../../contract/panels.ts'
import { askedSources, frameSources, plainForms } from './frame-sources.ts'

const none = {
  Chats: [],
  ChatLink: '',
  ChatLink2: '',
  HomePageContent: '',
  About: '',
  UserAgreement: '',
  PrivacyPolicy: '',
  Notice: '',
  Footer: '',
  ServerAddress: 'https://gate.example',
}

test('the hosts of the chat applications, each once; those of the device are no pages', () => {
  const Chats: Record<string, string>[] = [
    { Next: 'https://chat.example/#/?settings={"key":"{key}","url":"{address}"}' },
    { Again: 'https://chat.example/other' },
    { Port: 'http://10.0.0.5:3001/?k={key}' },
    { Own: '{address}/chat-app' },
    { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
    { Script: 'javascript:alert(1)' },
    { Words: 'no address' },
  ]
  expect(frameSources({ ...none, Chats })).toEqual([
    'http://10.0.0.5:3001',
    'https://chat.example',
    'https://gate.example',
  ])
})

test('a default chat page replaces the list, as it does in the console', () => {
  const Chats = [{ Next: 'https://chat.example' }]
  const links = { ChatLink: 'https://own.example/chat', ChatLink2: 'https://second.example' }
  expect(frameSources({ ...none, Chats, ...links })).toEqual([
    'https://own.example',
    'https://second.example',
  ])
})

test('pages that are shown instead of texts', () => {
  const texts = {
    HomePageContent: ' https://home.example/x ',
    About: '# About https://no.example',
    PrivacyPolicy: 'https://legal.example/privacy',
    Notice: '',
  }
  expect(frameSources({ ...none, ...texts })).toEqual(['https://home.example', 'https://legal.example'])
})

test('nothing that is configured can add a rule of its own', () => {
  const Chats: Record<string, string>[] = [
    { Rule: "https://a.example;script-src 'unsafe-inline'/" },
    { Wild: 'https://*.example/' },
    { Comma: 'https://a.example,b.example/' },
  ]
  expect(frameSources({ ...none, Chats })).toEqual([])
})

test('a payment gateway without TLS, where an administrator named one', () => {
  const forms = (PayAddress: string) => plainForms({ PayAddress })
  expect(forms('http://pay.example:8080/epay')).toEqual(['http://pay.example:8080'])
  for (const other of ['https://pay.example', '', 'http://*.example', "http://a.example;script-src 'self'/"])
    expect(forms(other)).toEqual([])
})

test('the addresses of the dashboard may be asked, each origin once, as long as they are shown', () => {
  const entry = (url: string): ApiAddress => ({ url, route: 'line', description: '', color: 'blue' })
  const ApiInfo = [
    'https://a.example/v1',
    'https://a.example',
    'http://10.0.0.5:3000/',
    'https://*.example',
  ].map(entry)
  expect(askedSources({ ApiInfoEnabled: true, ApiInfo })).toEqual([
    'http://10.0.0.5:3000',
    'https://a.example',
  ])
  expect(askedSources({ ApiInfoEnabled: false, ApiInfo })).toEqual([])
})
