import { asText, type JsonObject } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'
import { readFailure as readAnyFailure } from '../kit/answers/read-failure.ts'

const UNKNOWN_FAILURE = 502

/** An error that comes with status 200. Its numbers are those of HTTP as far as they are known. */
export function readFailure(body: JsonObject): Problem | undefined {
  const { success, errCode } = body
  const code = typeof errCode === 'number' ? errCode : 0
  if (success !== false && code === 0) return readAnyFailure(body)
  return {
    status: code >= 400 && code <= 511 ? code : UNKNOWN_FAILURE,
    ...wordsOr(asText(body.message), 'upstream.unsaid'),
    code: String(code),
  }
}
