import { type Endpoint, nothing } from '../../../contract/endpoint.ts'
import { type Sample, type Schema, sampleOf } from './sample-input.ts'

/** One call. `bad`: it has to be refused, whoever sends it; otherwise it only must not do harm. */
export interface Case {
  readonly what: string
  readonly path: string
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly bad: boolean
}

/** What a call can be sent that means well: each field given, ids of rows that are there. */
export interface WellMeant {
  readonly params: Readonly<Record<string, string>>
  readonly fields: Sample
}

interface Parts {
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly body?: string | undefined
}

export const ABSENT = '987654'

/** The call as it should be, but for the parts that are given. */
export function writeCase(
  endpoint: Endpoint,
  meant: WellMeant,
  what: string,
  spoilt: Partial<Parts>,
  knownBad = false,
): Case {
  const { params, query, body } = { ...meantParts(endpoint, meant), ...spoilt }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? ABSENT)
  const bad = knownBad || !takesQuery(endpoint, query) || !takesBody(endpoint, body)
  return { what, path: query === '' ? path : `${path}?${query}`, body, bad }
}

function meantParts(endpoint: Endpoint, { params, fields }: WellMeant): Parts {
  const query = new URLSearchParams(asTexts(sampleOf(endpoint.query, fields))).toString()
  if (endpoint.bodyLimit === 0 || endpoint.form) return { params, query }
  return { params, query, body: JSON.stringify(sampleOf(endpoint.body, fields)) }
}

export function asTexts(sample: Sample): Record<string, string> {
  return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, String(value)]))
}

function takesQuery(endpoint: Endpoint, query: string): boolean {
  if (query.includes('%00')) return false
  return endpoint.query === nothing || fits(endpoint.query, Object.fromEntries(new URLSearchParams(query)))
}

/** Nulls are "not given" to this family, and so is a body of nothing. */
function takesBody(endpoint: Endpoint, body: string | undefined): boolean {
  if (endpoint.bodyLimit === 0 || endpoint.form || body === undefined) return true
  if (Buffer.byteLength(body) > endpoint.bodyLimit || body.includes('\\u0000')) return false
  try {
    const json: unknown = body.trim() === '' ? {} : (JSON.parse(body) ?? {})
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return fits(endpoint.body, json)
    const given = Object.entries(json).filter(([, value]) => value !== null)
    return fits(endpoint.body, Object.fromEntries(given))
  } catch {
    return false
  }
}

function fits(schema: Schema, value: unknown): boolean {
  return schema.safeParse(value).success
}
