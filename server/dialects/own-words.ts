import type { upstreamErrors } from '../../contract/errors/upstream.ts'
import type { Params } from '../../contract/language.ts'
import { AppError } from '../errors.ts'
import type { Problem } from './spec.ts'

type OwnCode = keyof typeof upstreamErrors | 'relay.upstream-cut' | 'relay.upstream-slow'
type Words = Pick<Problem, 'message' | 'own'>

/** What a vendor said; where it said nothing, what we say. */
export function wordsOr(words: string | undefined, code: OwnCode, params?: Params): Words {
  return words ? { message: words } : ownWords(code, params)
}

export function ownWords(code: OwnCode, params?: Params): Words {
  const own = new AppError(code, params)
  return { message: own.message, own }
}
