import type { Endpoint } from '../../../contract/endpoint.ts'
import type { Random } from '../../faults/random.ts'
import { hostileIds, hostileQueryValues, hostileValues } from './hostile-values.ts'
import { fieldsOf, type Sample, type Schema, sampleOf } from './sample-input.ts'
import { ABSENT, asTexts, type Case, type WellMeant, writeCase } from './write-case.ts'

const TEN_MEGABYTES = 10 * 1024 * 1024

/** Written out when its turn comes: some are large. */
type Maker = () => Case
type Write = (what: string, spoilt: Parameters<typeof writeCase>[3], bad?: boolean) => Case

/** Some of all that can be done to the input of one call, in no order. */
export function drawCases(endpoint: Endpoint, meant: WellMeant, random: Random, count: number): Case[] {
  const write: Write = (what, spoilt, bad) => writeCase(endpoint, meant, what, spoilt, bad)
  const all = [
    ...wholeBodies(endpoint, meant, write),
    ...bodyFields(endpoint, meant, write),
    ...forms(endpoint, write),
    ...queryFields(endpoint, meant, write),
    ...pathParameters(endpoint, meant, write),
    ...severalAtOnce(endpoint, meant, random, write),
  ]
  const drawn: Case[] = []
  while (drawn.length < count && all.length > 0) {
    const [maker] = all.splice(random(0, all.length - 1), 1)
    if (maker) drawn.push(maker())
  }
  return drawn
}

/** More than any call takes; none for calls that take no body. */
export function tooLarge(endpoint: Endpoint, meant: WellMeant): Case | undefined {
  if (endpoint.bodyLimit === 0) return undefined
  return writeCase(endpoint, meant, 'ten megabytes', { body: `{"x":"${'x'.repeat(TEN_MEGABYTES)}"}` }, true)
}

/** Bodies that are no object at all, or more than one. */
function wholeBodies(endpoint: Endpoint, { fields }: WellMeant, write: Write): Maker[] {
  if (endpoint.bodyLimit === 0 || endpoint.form) return []
  const good = JSON.stringify(sampleOf(endpoint.body, fields))
  const deep = Math.min(100_000, Math.floor(endpoint.bodyLimit / 2) - 8)
  const bodies: [string, () => string][] = [
    ['a byte too much', () => good.padEnd(endpoint.bodyLimit + 1)],
    ['broken JSON', () => good.slice(0, -1)],
    ['text after JSON', () => `${good}x`],
    ['single quotes', () => "{'a':1}"],
    ['no JSON', () => 'key=value&other=1'],
    ['a lone surrogate outside of text', () => '{\\ud800:1}'],
    ...['null', '1', '"text"', '[]', '[{}]', 'true', ''].map((json): [string, () => string] => [
      json,
      () => json,
    ]),
    ['deep', () => `{"x":${'['.repeat(deep)}${']'.repeat(deep)}}`],
    ['keys of the runtime', () => good.replace('{', '{"__proto__":{"role":100},"constructor":{"a":{}},')],
    ['ten thousand keys', () => `{${Array.from({ length: 10_000 }, (_, at) => `"k${at}":1`).join()}}`],
    // Newer clients wrap what they send.
    ['wrapped', () => `{"mode":"single","channel":${good},"data":${good}}`],
  ]
  return bodies.map(
    ([what, body]) =>
      () =>
        write(`body: ${what}`, { body: body() }),
  )
}

function bodyFields(endpoint: Endpoint, { fields }: WellMeant, write: Write): Maker[] {
  if (endpoint.bodyLimit === 0 || endpoint.form) return []
  return spoiltObjects(endpoint.body, sampleOf(endpoint.body, fields)).map(
    ({ what, json }) =>
      () =>
        write(what, { body: json() }),
  )
}

interface Spoilt {
  readonly what: string
  readonly json: () => string
}

/** An object with each of its fields missing or spoilt, and each field of the objects in it. */
function spoiltObjects(schema: Schema, sample: Sample): Spoilt[] {
  return Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const { [name]: own, ...rest } = sample
    const inner = isSample(own) ? spoiltObjects(field, own) : []
    return [
      { what: `without ${name}`, json: () => JSON.stringify(rest) },
      ...hostileValues.map(({ what, json }) => ({
        what: `${name}: ${what}`,
        json: () => withField(rest, name, json),
      })),
      ...inner.map(({ what, json }) => ({
        what: `${name}.${what}`,
        json: () => withField(rest, name, json()),
      })),
    ]
  })
}

function isSample(value: unknown): value is Sample {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function queryFields(endpoint: Endpoint, { fields }: WellMeant, write: Write): Maker[] {
  const sample = asTexts(sampleOf(endpoint.query, fields))
  return Object.keys(fieldsOf(endpoint.query)).flatMap(name => {
    const { [name]: own = '1', ...others } = sample
    const rest = new URLSearchParams(others).toString()
    const put = (pair: string) => ({ query: rest === '' ? pair : `${rest}&${pair}` })
    return [
      () => write(`without ${name}`, { query: rest }),
      () => write(`${name} twice`, put(`${name}=${own}&${name}=%00`)),
      () => write(`${name} as a list`, put(`${name}[]=1&${name}[a]=2`)),
      ...hostileQueryValues.map(
        value => () => write(`${name}=${value.slice(0, 30)}`, put(`${name}=${value}`)),
      ),
    ]
  })
}

function pathParameters({ method }: Endpoint, { params }: WellMeant, write: Write): Maker[] {
  return Object.keys(params).flatMap(name => {
    const put = (value: string) => ({ params: { ...params, [name]: value } })
    // Deleting what is not there has always been a success to this family.
    const isBad = method !== 'DELETE'
    return [
      ...hostileIds.map(id => () => write(`${name} ${id.slice(0, 30)}`, put(id), true)),
      ...[ABSENT, '0'].map(id => () => write(`${name} ${id}`, put(id), isBad)),
    ]
  })
}

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'x/y;charset=z',
]

/** Two fields at a time, under a header that says something else. */
function severalAtOnce(endpoint: Endpoint, { fields }: WellMeant, random: Random, write: Write): Maker[] {
  const names = Object.keys(fieldsOf(endpoint.body))
  if (names.length < 2 || endpoint.bodyLimit === 0) return []
  return Array.from({ length: 20 }, () => () => {
    const [one = '', other = ''] = [pick(random, names), pick(random, names)]
    const [first, second] = [pick(random, hostileValues), pick(random, hostileValues)]
    const { [one]: _one, [other]: _other, ...rest } = sampleOf(endpoint.body, fields)
    const body = withField(rest, one, `${first?.json},${JSON.stringify(other)}:${second?.json}`)
    const headers = { 'content-type': pick(random, contentTypes) ?? '' }
    return { ...write(`${one}: ${first?.what}, ${other}: ${second?.what}`, { body }), headers }
  })
}

/** Notices that nobody signed. */
function forms({ form, bodyLimit }: Endpoint, write: Write): Maker[] {
  if (!form) return []
  const values = ['', '=&=&=', '%=%&%zz=%', 'x&sign=y', '[]', '\u0000', ...hostileQueryValues]
  // Longer heads than these are refused by the runtime, before anyone of ours sees them.
  return values.map(given => () => {
    const value = given.slice(0, 3000)
    const pairs = `out_trade_no=${value}&trade_status=TRADE_SUCCESS&money=1.00&sign=${value}&sign_type=MD5`
    return write(`form ${value.slice(0, 30)}`, bodyLimit === 0 ? { query: pairs } : { body: pairs }, true)
  })
}

function withField(rest: Sample, name: string, json: string): string {
  const all = Object.entries(rest).map(
    ([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`,
  )
  return `{${[...all, `${JSON.stringify(name)}:${json}`].join(',')}}`
}

export function pick<T>(random: Random, from: readonly T[]): T | undefined {
  return from[random(0, from.length - 1)]
}
