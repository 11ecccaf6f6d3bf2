import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { channelTypes } from '../../contract/channel-types.ts'
import { TABLE_FILE, writeProviderTable } from '../../scripts/write-provider-table.ts'
import { plainEndpointsOf } from '../../server/providers/choose-endpoint.ts'
import { type Capability, type Provider, plainCapabilities } from '../../server/providers/define.ts'
import { providerOf } from '../../server/providers/index.ts'

/** What a test of a capability has to have in it: the address at the gateway's own door, or the SDKs. */
const SIGNS: Readonly<Record<Capability, RegExp>> = {
  chat: /testChat\(|\.ask\(/,
  completions: /\/v1\/completions/,
  embeddings: /\/v1\/embeddings|:(batchE|e)mbedContent/,
  rerank: /\/v1\/rerank/,
  moderations: /\/v1\/moderations/,
  images: /\/v1\/images\/generations/,
  'image-edits': /\/v1\/images\/edits/,
  speech: /\/v1\/audio\/speech/,
  transcriptions: /\/v1\/audio\/transcriptions/,
  translations: /\/v1\/audio\/translations/,
  'count-tokens': /count_tokens|countTokens/,
  search: /\/v1\/alpha\/search/,
  'web-search': /'\/v1\/search/,
  ocr: /\/v1\/ocr/,
  realtime: /\/v1\/realtime/,
}

/** Tests of whole dialects, which are these vendors' own. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  1: 'test/sdk and test/relay',
  14: 'test/sdk and test/relay',
  24: 'test/sdk and test/relay',
}

/** Types whose providers are still to be written. */
const NOT_YET: readonly number[] = []

const files = readdirSync(import.meta.dir)
  .filter(name => name.endsWith('.test.ts') && name !== 'matrix.test.ts')
  .map(name => readFileSync(join(import.meta.dir, name), 'utf8'))

/** The tests that name a type. */
function testsOf(type: number): string {
  return files.filter(text => new RegExp(`\\btype: ${type}\\b|\\[${type}, `).test(text)).join('\n')
}

function capabilitiesOf(provider: Provider): Capability[] {
  return [
    ...(provider.chat ? (['chat'] as const) : []),
    ...plainCapabilities.filter(capability => plainEndpointsOf(provider, capability).length > 0),
    ...(provider.realtime ? (['realtime'] as const) : []),
  ]
}

// Long jobs, and what is merely passed on, have tests of their own.
const types = channelTypes.filter(({ tasks, passes }) => !tasks && !passes)

describe('every type of channel', () => {
  test.each(types.map(({ id, name }) => [id, name.en] as const))('%i %s', id => {
    const provider = providerOf(id)
    if (!provider) return expect(NOT_YET).toContain(id)
    if (ELSEWHERE[id]) return
    const text = testsOf(id)
    expect(capabilitiesOf(provider).filter(capability => !SIGNS[capability].test(text))).toEqual([])
  })
})

test('docs/providers.md is up to date: bun scripts/write-provider-table.ts', () => {
  expect(readFileSync(TABLE_FILE, 'utf8')).toBe(writeProviderTable())
})
