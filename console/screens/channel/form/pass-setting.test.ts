import { expect, test } from 'bun:test'
import { passFaultIn, passIn, withPass } from './pass-setting.ts'

test('only what is not as usual is written down, and nothing else of the settings is touched', () => {
  expect(withPass('', {})).toBe('')
  const proxied = JSON.stringify({ proxy: 'http://p.example' })
  const limited = withPass(proxied, { methods: ['GET'], paths: ['/v1/'], query: false, key_prefix: '' })
  expect(JSON.parse(limited)).toEqual({
    proxy: 'http://p.example',
    pass: { key_prefix: '', methods: ['GET'], paths: ['/v1/'], query: false },
  })
  expect(passIn(limited)).toMatchObject({ key_in: 'header', key_prefix: '', methods: ['GET'], query: false })
  const byQuery = withPass(limited, { key_in: 'query', key_name: ' token ', key_prefix: undefined })
  expect(JSON.parse(byQuery).pass).toMatchObject({ key_in: 'query', key_name: 'token' })
  const usual = {
    key_in: 'header' as const,
    key_name: '',
    methods: passIn('').methods,
    paths: [],
    query: true,
  }
  expect(JSON.parse(withPass(byQuery, usual))).toEqual({ proxy: 'http://p.example' })
})

test('what cannot be kept to is named', () => {
  expect(passFaultIn('')).toBeUndefined()
  expect(passFaultIn('{"pass":{"paths":["/v1/"]}}')).toBeUndefined()
  for (const [member, value] of [
    ['key_in', 'body'],
    ['key_name', 'Content-Length'],
    ['key_name', 'a b'],
    ['key_prefix', 'a\nb'],
    ['methods', ['TRACE']],
    ['paths', ['v1']],
    ['paths', ['/v1/%2e%2e/']],
    ['query', 'yes'],
    ['test_path', 'https://other.example/'],
  ] as const)
    expect([value, passFaultIn(JSON.stringify({ pass: { [member]: value } }))]).toEqual([value, member])
})
