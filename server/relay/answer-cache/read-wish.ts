import { keepsHeader } from '../../../contract/model-calls.ts'
import { refuseField } from '../../dialects/refuse.ts'
import type { RelayParts } from '../parts.ts'

/** By which a client asks, and is told. */
export const CACHE_HEADER = keepsHeader.name

/** What a caller wants of the answers that are kept. */
export interface Wish {
  /** How old an answer may be, and how long a new one is kept. */
  readonly seconds: number
  /** It is asked anew, and that answer is the one to keep. */
  readonly refresh: boolean
  /** The answer to a question that means the same will do. */
  readonly byMeaning: boolean
}

const BY_MEANING = 'semantic'
const seconds = /^\d{1,9}$/

/** Undefined where nothing is kept, or this caller does not want that: nobody gets a kept answer unasked. */
export function readWish({ settings }: Pick<RelayParts, 'settings'>, request: Request): Wish | undefined {
  const longest = settings.get('AnswerCacheSeconds')
  if (longest === 0) return undefined
  const words = request.headers.get(CACHE_HEADER)?.toLowerCase().split(',').map(trim)
  if (words === undefined) return undefined
  const byMeaning = words.includes(BY_MEANING)
  const [given = 'on', another] = words.filter(word => word !== BY_MEANING)
  const isKnown = given === 'on' || given === 'off' || given === 'refresh' || seconds.test(given)
  if (!isKnown || another !== undefined)
    refuseField(CACHE_HEADER, 'field.one-of-or-seconds', { choices: 'on, off, refresh, semantic' })
  if (given === 'off') return undefined
  if (given === 'on' || given === 'refresh')
    return { seconds: longest, refresh: given === 'refresh', byMeaning }
  const most = Math.min(Number(given), longest)
  return most === 0 ? undefined : { seconds: most, refresh: false, byMeaning }
}

function trim(word: string): string {
  return word.trim()
}
