import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'

const FAILED = 502

/** Most come with status 200. What is wrong with the bot or the account is never the caller's fault. */
const statusOfCode = new Map([
  ['4000', 400],
  ['4011', 402],
  ['4013', 429],
  ['4015', 404],
  ['4027', 402],
  ['4028', 402],
  ['4100', 401],
  ['4101', 403],
  ['4200', 404],
  ['700012001', 401],
  ['700012006', 401],
  ['700012014', 401],
])

/** `{code, msg}`. */
export function readProblem(status: number, body: unknown): Problem {
  const { code, msg } = asObject(body) ?? {}
  const said = typeof code === 'number' ? String(code) : asText(code)
  const known = statusOfCode.get(said ?? '') ?? (status >= 400 ? status : FAILED)
  return { status: known, ...wordsOr(asText(msg), 'upstream.unsaid'), code: said }
}

export function readFailure(body: JsonObject): Problem | undefined {
  return typeof body.code === 'number' && body.code !== 0 ? readProblem(0, body) : undefined
}
