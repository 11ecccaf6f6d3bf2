import { dialects } from '../../dialects/index.ts'
import { asText, type JsonObject } from '../../dialects/json.ts'
import { wordsOr } from '../../dialects/own-words.ts'
import type { Problem } from '../../dialects/spec.ts'
import { readFailure as readAnyFailure } from '../kit/answers/read-failure.ts'

/** What it could not show of its own answer. */
export const OUTPUT_FILTERED = 10014

const UNKNOWN_FAILURE = 502

const statuses = new Map([
  ...each(400, [10003, 10004, 10005, 10013, OUTPUT_FILTERED, 10019, 10021, 10163, 10907]),
  // An application that is banned, or whose key is another's.
  ...each(401, [10015, 10313]),
  // Not authorised for this model, or used up: which of them, it does not tell.
  ...each(402, [10016, 11200]),
  ...each(429, [10006, 10007, 11201, 11202, 11203]),
  ...each(503, [10008, 10110]),
])

export function readCode(code: number, message: string | undefined): Problem {
  const status = statuses.get(code) ?? UNKNOWN_FAILURE
  return { status, ...wordsOr(message, 'upstream.unsaid'), code: String(code) }
}

/** Of plain requests: `{error}` or `{code, message}`, with status 200 or another. */
export function readFailure(body: JsonObject): Problem | undefined {
  const problem = readAnyFailure(body)
  return problem && judge(problem)
}

export function readProblem(status: number, body: unknown): Problem {
  return judge(dialects['openai-chat'].readProblem(status, body))
}

/** Undefined for a piece of an answer. */
export function readPiece(piece: JsonObject): Problem | undefined {
  const { code } = piece
  return typeof code === 'number' && code !== 0 ? readCode(code, asText(piece.message)) : undefined
}

function judge(problem: Problem): Problem {
  const status = statuses.get(Number(problem.code))
  return status === undefined ? problem : { ...problem, status }
}

function each(status: number, codes: readonly number[]): [code: number, status: number][] {
  return codes.map(code => [code, status])
}
