import { asNumber, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'

const FAILED = 502
const FILTERED = 400

/** `{title, detail, status}`. */
export function readProblem(status: number, body: unknown): Problem {
  const { title, detail, retry_after } = asObject(body) ?? {}
  const retryAfter = asNumber(retry_after)
  return {
    status,
    ...wordsOr(asText(detail) || asText(title), 'upstream.unsaid'),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

/** A prediction that came to nothing, with status 200. That somebody asked for what is not drawn is told. */
export function readFailure({ status, error }: JsonObject): Problem | undefined {
  if (status !== 'failed' && status !== 'canceled' && status !== 'aborted') return undefined
  const words = asText(error)
  if (/nsfw|flagged|sensitive|safety/i.test(words ?? ''))
    return { status: FILTERED, ...wordsOr(words, 'upstream.unsaid'), code: 'content_policy_violation' }
  return { status: FAILED, ...wordsOr(words, 'upstream.unsaid') }
}
