import { describe, expect, test } from 'bun:test'
import { chatLinks, chatTemplates } from './chat-links.ts'

const next = 'https://chat.example/#/?settings={"key":"{key}","url":"{address}"}'
const nothing = { chats: [], chat_link: '', chat_link2: '' }
const address = 'https://gate.example:8443/'

describe('the configured presets', () => {
  test('get the key with its prefix and the address encoded', () => {
    const chats: Record<string, string>[] = [
      { Next: next },
      { Lobe: 'https://lobe.example/?settings={"apiKey":"{key}","baseURL":"{address}/v1"}' },
      { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
    ]
    expect(chatLinks({ ...nothing, chats }, address, 'abc')).toEqual([
      {
        name: 'Next',
        url: 'https://chat.example/#/?settings={"key":"sk-abc","url":"https%3A%2F%2Fgate.example%3A8443"}',
        opens: 'frame',
      },
      {
        name: 'Lobe',
        url: 'https://lobe.example/?settings={"apiKey":"sk-abc","baseURL":"https%3A%2F%2Fgate.example%3A8443/v1"}',
        opens: 'frame',
      },
      {
        name: 'OpenCat',
        url: 'opencat://team/join?domain=https%3A%2F%2Fgate.example%3A8443&token=sk-abc',
        opens: 'link',
      },
    ])
  })

  test('of the form that Cherry Studio reads are given all of it at once', () => {
    const chats = [{ Cherry: 'cherrystudio://providers/api-keys?v=1&data={cherryConfig}' }]
    const links = chatLinks({ ...nothing, chats }, address, 'abc')
    const url = new URL(Array.isArray(links) ? (links[0]?.url ?? '') : '')
    expect(JSON.parse(atob(url.searchParams.get('data') ?? ''))).toMatchObject({
      baseUrl: 'https://gate.example:8443',
      apiKey: 'sk-abc',
    })
  })

  test('keep a prefix that is there already, and every placeholder of a link', () => {
    const chats: Record<string, string>[] = [{ One: 'https://c.example/?k={key}&again={key}' }]
    expect(chatLinks({ ...nothing, chats }, address, 'sk-abc')).toMatchObject([
      { url: 'https://c.example/?k=sk-abc&again=sk-abc' },
    ])
  })

  test('that could run script or are no addresses are left out', () => {
    const chats: Record<string, string>[] = [
      { Script: 'javascript:alert("{key}")' },
      { Data: ' data:text/html,{key}' },
      { Words: 'no address' },
      { Good: next },
    ]
    const links = chatLinks({ ...nothing, chats }, address, 'abc')
    expect(links).toMatchObject([{ name: 'Good' }])
  })

  test('keep their places, as the sidebar numbers them', () => {
    const chats: Record<string, string>[] = [{ Bad: 'no address' }, {}, { Good: next }]
    expect(chatTemplates({ ...nothing, chats })).toMatchObject([{ name: 'Bad' }, { name: 'Good' }])
  })
})

describe('the default chat page', () => {
  test('replaces the presets and is given the settings that such pages read', () => {
    const status = { chats: [{ Next: next }], chat_link: 'https://own.example/chat', chat_link2: '' }
    expect(chatLinks(status, address, 'abc')).toEqual([
      {
        name: 'own.example',
        url: 'https://own.example/chat/#/?settings={"key":"sk-abc","url":"https%3A%2F%2Fgate.example%3A8443"}',
        opens: 'frame',
      },
    ])
  })

  test('with placeholders of its own is filled in as it stands', () => {
    const status = { ...nothing, chat_link: 'https://own.example/?k={key}' }
    expect(chatLinks(status, address, 'abc')).toMatchObject([{ url: 'https://own.example/?k=sk-abc' }])
  })

  test('is followed by the second one, as the presets are', () => {
    const second = { chat_link2: 'https://second.example' }
    const names = (status: Parameters<typeof chatLinks>[0]) => {
      const links = chatLinks(status, address, 'abc')
      return Array.isArray(links) ? links.map(link => link.name) : links
    }
    expect(names({ ...nothing, ...second, chat_link: 'https://own.example' })).toEqual([
      'own.example',
      'second.example',
    ])
    expect(names({ ...nothing, ...second, chats: [{ Next: next }] })).toEqual(['Next', 'second.example'])
  })
})

test('why there is nothing to open is told apart', () => {
  expect(chatLinks(nothing, address, 'abc')).toBe('none')
  expect(chatLinks({ ...nothing, chats: [{ Bad: 'no address' }] }, address, 'abc')).toBe('wrong')
  const stored = JSON.parse('{"chats":"[]","chat_link":"","chat_link2":""}')
  expect(chatLinks(stored, address, 'abc')).toBe('unreadable')
  const odd = JSON.parse('{"chats":[null,7,{"Next":null}],"chat_link":"","chat_link2":""}')
  expect(chatLinks(odd, address, 'abc')).toBe('wrong')
})
