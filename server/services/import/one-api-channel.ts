import type { ForeignRow } from '../../store/foreign-database.ts'
import { textOf } from './read-row.ts'
import { asOpenai, resellers } from './resellers.ts'
import type { Translated } from './translated.ts'

const AWS = 33
const VERTEX = 41

/** The same vendor under the same number in both families. */
const sameNumber = new Set([1, 3, 8, 11, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 31, 33])

/** The number there, and the number here. */
const otherNumber: Readonly<Record<number, number>> = {
  27: 35,
  28: 42,
  29: 101,
  30: 4,
  35: 34,
  36: 43,
  37: 39,
  39: 102,
  40: 45,
  42: VERTEX,
  44: 40,
  45: 48,
}

/** Vendors without a type of their own here, who speak as OpenAI does, and where. */
const speaksOpenai: Readonly<Record<number, string>> = {
  ...resellers,
  2: 'https://oa.api2d.net',
  4: 'https://api.closeai-proxy.xyz',
  5: 'https://api.openai-sb.com',
  26: 'https://api.baichuan-ai.com',
  32: 'https://api.stepfun.com',
}

/** Undefined when nothing here speaks to such an upstream. */
export function translateOneApiChannel(row: ForeignRow): Translated | undefined {
  const number = Number(row.type)
  const type = sameNumber.has(number) ? number : otherNumber[number]
  if (type !== undefined) return { type, ...fromConfig(type, readConfig(row), row) }
  return asOpenai(row, speaksOpenai)
}

type Config = Readonly<Record<string, unknown>>

function readConfig(row: ForeignRow): Config {
  try {
    const config: unknown = JSON.parse(textOf(row, 'config') || '{}')
    return typeof config === 'object' && config !== null ? (config as Config) : {}
  } catch {
    return {}
  }
}

/** What is a field of its own here stands in one `config` there; before that it stood in `other`, as it does here. */
function fromConfig(type: number, config: Config, row: ForeignRow): Omit<Translated, 'type'> {
  const entry = (name: string): string => textOf(config, name)
  if (type === AWS && entry('ak') !== '')
    return { key: [entry('ak'), entry('sk'), entry('region')].join('|') }
  if (type === VERTEX)
    return { key: entry('vertex_ai_adc') || undefined, other: entry('region') || undefined }
  const other = textOf(row, 'other') || textOf(config, 'api_version', 'library_id', 'plugin', 'user_id')
  return { other }
}
