import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import { encodeSegment, endsInVersion, fillModel, hasPath, joinUrl } from './url.ts'

describe('joinUrl', () => {
  test.each([
    ['https://a.example', '/v1/x', 'https://a.example/v1/x'],
    ['https://a.example/', '/v1/x', 'https://a.example/v1/x'],
    ['https://a.example//', 'v1/x', 'https://a.example/v1/x'],
    ['https://a.example/v1', '/v1/x', 'https://a.example/v1/x'],
    ['https://a.example/v1/', '/v1/x', 'https://a.example/v1/x'],
    ['https://a.example//api//v1', '/v1/x', 'https://a.example/api/v1/x'],
    ['https://a.example/proxy', '/v1/x', 'https://a.example/proxy/v1/x'],
    ['https://a.example/v1/acc/openai', '/v1/x', 'https://a.example/v1/acc/openai/v1/x'],
    ['https://a.example/v1beta/openai/', '/v1/x', 'https://a.example/v1beta/openai/x'],
    ['https://a.example/v1/openai', '/v1/x', 'https://a.example/v1/openai/x'],
    [
      'https://a.example/v1beta/openai',
      '/chat/completions',
      'https://a.example/v1beta/openai/chat/completions',
    ],
    ['http://v1/openai', '/v1/x', 'http://v1/openai/v1/x'],
    [
      'https://gateway.ai.cloudflare.com/v1/acc/gate/openai',
      '/v1/x',
      'https://gateway.ai.cloudflare.com/v1/acc/gate/openai/x',
    ],
    [
      'https://gateway.ai.cloudflare.com/v1/acc/gate/anthropic',
      '/v1/x',
      'https://gateway.ai.cloudflare.com/v1/acc/gate/anthropic/v1/x',
    ],
    ['https://a.example/api/v3', '/v1/x', 'https://a.example/api/v3/x'],
    [
      'https://a.example/compatible-mode/v1',
      '/compatible-mode/v1/x',
      'https://a.example/compatible-mode/v1/x',
    ],
    ['https://a.example/api/paas/v4', '/api/paas/v4/x', 'https://a.example/api/paas/v4/x'],
    ['https://a.example/api/coding/paas/v4', '/api/paas/v4/x', 'https://a.example/api/coding/paas/v4/x'],
    [
      'https://a.example/v1beta',
      '/v1beta/models/m:go?alt=sse',
      'https://a.example/v1beta/models/m:go?alt=sse',
    ],
    ['https://a.example/v1', '/v1beta/models/v2:go', 'https://a.example/v1/models/v2:go'],
    ['https://a.example/v1', '/chat/completions', 'https://a.example/v1/chat/completions'],
    ['https://a.example/v1', '/realtime?x=/v1/y', 'https://a.example/v1/realtime?x=/v1/y'],
    ['http://v1', '/v1/x', 'http://v1/v1/x'],
    ['http://localhost:8080', '/v1/x', 'http://localhost:8080/v1/x'],
    ['https://a.example', 'https://b.example/whole', 'https://b.example/whole'],
  ])('%s + %s', (base, path, url) => {
    expect(joinUrl(base, path)).toBe(url)
  })
})

test('tells versions and paths', () => {
  expect(['https://a/v1', 'https://a/x/v4', 'https://a/v1beta', 'https://a/v2.1'].every(endsInVersion)).toBe(
    true,
  )
  expect(
    ['https://a', 'https://v1', 'https://a/v1/x', 'https://a/vault', 'https://a/dev1'].some(endsInVersion),
  ).toBe(false)
  expect(['https://a/x', 'https://a/v1', 'https://a?x=1'].every(hasPath)).toBe(true)
  expect(['https://a', 'https://a/', 'http://a:80//'].some(hasPath)).toBe(false)
})

describe('model names in addresses', () => {
  test.each([
    ['gpt-4o', 'gpt-4o'],
    ['../../v1/files', '..%2F..%2Fv1%2Ffiles'],
    ['a?b#c', 'a%3Fb%23c'],
    ['%2e%2e', '%252e%252e'],
    ['\ud800', '%EF%BF%BD'],
    ['$&', '%24%26'],
  ])('%s stays one segment', (name, segment) => {
    expect(encodeSegment(name)).toBe(segment)
    const path = `/m/${segment}/go`
    expect(new URL(`https://a.example${path}`).pathname).toBe(path)
    expect(fillModel('https://a.example/{model}/x/{model}', name)).toBe(
      `https://a.example/${segment}/x/${segment}`,
    )
  })

  test.each(['', '.', '..'])('%j is refused', name => {
    expect(() => encodeSegment(name)).toThrow(AppError)
    expect(() => fillModel('https://a.example/{model}', name)).toThrow(AppError)
    expect(fillModel('https://a.example', name)).toBe('https://a.example')
  })
})
