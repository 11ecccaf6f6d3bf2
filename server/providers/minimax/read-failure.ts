import { dialects } from '../../dialects/index.ts'
import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'
import { readFailure as readAnyFailure } from '../kit/answers/read-failure.ts'

const statuses = new Map([
  ...each(400, ['1026', '1027', '1042', '1043', '1044', '2013', '2037', '2039', '2042', '2048', '20132']),
  ...each(401, ['1004', '2049']),
  ...each(402, ['1008']),
  ...each(403, ['2061']),
  ...each(429, ['1002', '1028', '1030', '1039', '1041', '2045', '2056']),
  ...each(500, ['1000', '1013', '1024', '1033']),
  ...each(504, ['1001']),
])
const UNKNOWN_FAILURE = 500
/** Under the number of every wrong field. */
const NO_MODEL = 'invalid params, unknown model'

/** An error that comes with status 200, beside an answer that is empty. */
export function readFailure(body: JsonObject): Problem | undefined {
  return readBase(body) ?? readAnyFailure(body)
}

export function readBase(body: JsonObject): Problem | undefined {
  const base = asObject(body.base_resp)
  const number = base?.status_code
  if (typeof number !== 'number' || number === 0) return undefined
  const code = String(number)
  const words = wordsOr(asText(base?.status_msg), 'upstream.number', { number })
  if (words.message.startsWith(NO_MODEL)) return { status: 404, ...words, code: 'model_not_found' }
  return { status: statuses.get(code) ?? UNKNOWN_FAILURE, ...words, code }
}

/** With a status of its own it may still have the vendor's number. */
export function readProblem(status: number, body: unknown): Problem {
  const base = readBase(asObject(body) ?? {})
  return base ?? dialects['openai-chat'].readProblem(status, body)
}

function each(status: number, codes: readonly string[]): [code: string, status: number][] {
  return codes.map(code => [code, status])
}
