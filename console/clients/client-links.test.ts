import { expect, test } from 'bun:test'
import { clientLink } from './client-links.ts'

const address = 'https://gateway.example.com:8443/'

function read(url: string | undefined, name: string): unknown {
  const data = new URL(url ?? '').searchParams.get(name) ?? ''
  return JSON.parse(Buffer.from(data, 'base64').toString('utf8'))
}

test('Cherry Studio is told of a provider by its host, and adds the version to its address itself', () => {
  const link = clientLink('cherry', address, 'sk-abc+/=', 'm')
  expect(link?.name).toBe('Cherry Studio')
  expect(link?.url).toStartWith('cherrystudio://providers/api-keys?v=1&data=')
  expect(read(link?.url, 'data')).toEqual({
    id: 'gateway.example.com:8443',
    name: 'gateway.example.com:8443',
    type: 'openai',
    baseUrl: 'https://gateway.example.com:8443',
    apiKey: 'sk-abc+/=',
  })
})

test('Chatbox is told of the model too, whatever its name is written in', () => {
  const link = clientLink('chatbox', address, 'sk-abc', '模型 1')
  expect(link?.url).toStartWith('chatbox://provider/import?config=')
  expect(read(link?.url, 'config')).toMatchObject({
    type: 'openai',
    settings: {
      apiHost: 'https://gateway.example.com:8443',
      apiPath: '/v1/chat/completions',
      apiKey: 'sk-abc',
      models: [{ modelId: '模型 1', type: 'chat' }],
    },
  })
})

test('agents of the command line are handed over by CC Switch, each with the address it calls', () => {
  const told = (agent: 'claude' | 'codex') => {
    const { name, url } = clientLink(agent, address, 'sk-abc', 'a&b') ?? { name: '', url: '' }
    expect(name).toBe('CC Switch')
    expect(url).toStartWith('ccswitch://v1/import?resource=provider&app=')
    return Object.fromEntries(new URL(url).searchParams)
  }
  expect(told('claude')).toEqual({
    ...{ resource: 'provider', app: 'claude', name: 'gateway.example.com:8443' },
    ...{ homepage: 'https://gateway.example.com:8443', endpoint: 'https://gateway.example.com:8443' },
    ...{ apiKey: 'sk-abc', model: 'a&b' },
  })
  expect(told('codex').endpoint).toBe('https://gateway.example.com:8443/v1')
  expect(clientLink('cursor', address, 'sk-abc', 'm')).toBeUndefined()
})
