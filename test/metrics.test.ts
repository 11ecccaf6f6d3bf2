import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './program.ts'
import { openRig, type Rig } from './relay/rig.ts'
import { ask, chat, requestIdOf } from './relay/ways.ts'
import { type FakeUpstream, startOpenai } from './upstreams/index.ts'

const guide = readFileSync(join(import.meta.dir, '..', 'docs', 'operating', 'watching.md'), 'utf8')

let rig: Rig
let broken: FakeUpstream
let good: FakeUpstream
let key = ''
let brokenId = 0
let goodId = 0

beforeAll(async () => {
  broken = await startOpenai()
  good = await startOpenai()
  rig = await openRig(async books => {
    await books.setOption('RetryTimes', '1')
    key = (await books.addToken({ userId: await books.addUser() })).key
    const channel = { type: 1, models: [chat.model] }
    brokenId = await books.addChannel({ ...channel, baseUrl: broken.url, key: broken.key, priority: 9 })
    goodId = await books.addChannel({ ...channel, baseUrl: good.url, key: good.key, priority: 1 })
  })
})
afterAll(async () => {
  await rig.close()
  await broken.stop()
  await good.stop()
})

interface Family {
  readonly kind: string
  /** By name and labels, as they are written. */
  readonly samples: Map<string, number>
}

/** As strictly as Prometheus reads it. */
async function scrape(): Promise<Map<string, Family>> {
  // A worker that does not answer within a second is left out.
  const text = await until(async () => {
    const response = await fetch(`${rig.url}/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const told = await response.text()
    return told.includes('{worker="0"') ? told : undefined
  })
  expect(text).toEndWith('\n')
  const families = new Map<string, Family>()
  let current = ''
  for (const line of text.trimEnd().split('\n')) {
    const [, name = '', kind = ''] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? []
    if (name !== '') {
      expect(families.has(name)).toBe(false)
      families.set(name, { kind, samples: new Map() })
      current = name
    } else if (!line.startsWith('# HELP ')) {
      const [, series = '', value = ''] = /^(\w+\{(?:\w+="[^"\\\n]*",?)+\}) (-?[\d.e+-]+)$/.exec(line) ?? []
      const { samples } = families.get(current) ?? {}
      expect([line, series.startsWith(current), samples?.has(series)]).toEqual([line, true, false])
      samples?.set(series, Number(value))
    }
  }
  return families
}

/** The sum over all samples whose labels say so. */
function sumOf(families: Map<string, Family>, name: string, ...labels: string[]): number {
  const family = families.get(name.replace(/_(bucket|sum|count)$/, '')) ?? families.get(name)
  let sum = 0
  for (const [series, value] of family?.samples ?? [])
    if (series.startsWith(`${name}{`) && labels.every(label => series.includes(label))) sum += value
  return sum
}

describe('the figures for Prometheus', () => {
  test.each([
    ['x-forwarded-for', '10.0.0.7'],
    ['x-forwarded-host', 'gate.example'],
    ['x-forwarded-proto', 'https'],
    ['x-real-ip', '10.0.0.7'],
    ['forwarded', 'for=10.0.0.7'],
    ['via', '1.1 proxy'],
    ['cf-connecting-ip', '203.0.113.9'],
    ['true-client-ip', '203.0.113.9'],
    ['origin', 'https://page.example'],
    ['sec-fetch-site', 'same-origin'],
  ])('are not for whom a proxy or a page speaks for, by %s', async (name, value) => {
    const response = await fetch(`${rig.url}/metrics`, { headers: { [name]: value } })
    expect([response.status, (await response.text()).includes('tollgate_')]).toEqual([401, false])
  })

  test('begin with 0 where a first count would otherwise be no increase', async () => {
    const families = await scrape()
    for (const name of [
      'worker_restarts',
      'unhandled_errors',
      'relay_retries',
      'relay_fallbacks',
      'ledger_commit_failures',
    ])
      expect([name, ...(families.get(`tollgate_${name}_total`)?.samples.values() ?? [])]).toEqual([name, 0])
  })

  test('tell of a call: how long, what it cost, and which channel was in the way', async () => {
    broken.next(broken.failWith('server-error'))
    const response = await ask(rig.url, chat, { key, stream: true })
    await response.text()
    const row = await rig.logOf(requestIdOf(response))
    const plain = await ask(rig.url, chat, { key })
    await plain.text()
    const second = await rig.logOf(requestIdOf(plain))
    const families = await until(async () => {
      const found = await scrape()
      const calls = sumOf(found, 'tollgate_relay_call_seconds_count')
      const answers = sumOf(found, 'tollgate_relay_answers_total', 'kind="chat"')
      return calls === 2 && answers === 2 ? found : undefined
    })
    const model = `model="${chat.model}"`
    expect(sumOf(families, 'tollgate_relay_charged_quota_total', model)).toBe(row.quota + second.quota)
    const input = sumOf(families, 'tollgate_relay_tokens_total', model, 'direction="input"')
    const output = sumOf(families, 'tollgate_relay_tokens_total', model, 'direction="output"')
    expect(input).toBe(row.prompt_tokens + second.prompt_tokens)
    expect(output).toBe(row.completion_tokens + second.completion_tokens)
    expect(sumOf(families, 'tollgate_relay_first_token_seconds_count')).toBe(1)
    expect(sumOf(families, 'tollgate_relay_call_seconds_count', 'stream="true"')).toBe(1)
    const outcomes = (id: number, outcome: string) =>
      sumOf(families, 'tollgate_relay_channel_attempts_total', `channel="${id}"`, `outcome="${outcome}"`)
    expect([outcomes(brokenId, 'server'), outcomes(brokenId, 'ok'), outcomes(goodId, 'ok')]).toEqual([
      1, 1, 1,
    ])
    expect(sumOf(families, 'tollgate_relay_answers_total', 'kind="chat"', 'status="200"')).toBe(2)
    expect(sumOf(families, 'tollgate_relay_retries_total')).toBe(1)
    expect(sumOf(families, 'tollgate_ledger_commit_seconds_count')).toBeGreaterThan(0)
    expect(sumOf(families, 'tollgate_database_writable')).toBe(1)
  })

  test('keep to the form: units, ends of names, and buckets that add up', async () => {
    for (const [name, { kind, samples }] of await scrape()) {
      expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter'])
      expect(name).not.toMatch(/_(ms|millis|mb|kb)(_|$)/)
      if (kind !== 'histogram') continue
      expect(name).toEndWith('_seconds')
      let before = 0
      for (const [series, value] of samples) {
        if (!series.includes('_bucket{')) continue
        expect([series, value >= before]).toEqual([series, true])
        before = series.includes('le="+Inf"') ? 0 : value
        if (series.includes('le="+Inf"'))
          expect(samples.get(series.replace('_bucket{', '_count{').replace(/,le="[^"]+"/, ''))).toBe(value)
      }
    }
  })

  test('are all in the guide, and the guide has no others', async () => {
    const table = /Everything that is told[\s\S]*?(?=No label grows)/.exec(guide)?.[0] ?? ''
    const told = [...table.matchAll(/^\| (`tollgate_[^|]*) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    )
    expect(told.sort()).toEqual([...(await scrape()).keys()].sort())
  })
})
