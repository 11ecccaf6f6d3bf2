import {
  chooseWord,
  readProblem as readGoogles,
  statusOfWord,
  writeProblem as writeGoogles,
} from '../gemini/problems.ts'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../json.ts'
import type { Problem } from '../spec.ts'

/** An interaction that failed has a list of what was wrong; a call that did has one error, like any of Google's. */
export function readProblem(status: number, body: unknown): Problem {
  const whole = asObject(body)
  const [first] = asArray(whole?.errors)
  const told = whole?.error ?? first
  return readGoogles(status, told === undefined ? body : { error: worded(told) })
}

/** The same of what comes with status 200, in a stream or whole. */
export function readLateProblem(body: JsonObject): Problem {
  const told = asObject(body.error ?? asArray(body.errors)[0])
  return readProblem(statusOf(told?.code), body)
}

/** Here the word may stand where Google has a number elsewhere. */
function worded(told: unknown): unknown {
  const error = asObject(told)
  const word = asText(error?.code)
  return error && word && error.status === undefined ? { ...error, status: word.toUpperCase() } : told
}

function statusOf(code: unknown): number {
  const number = asNumber(code) ?? Number(asText(code) || Number.NaN)
  if (Number.isInteger(number) && number >= 400 && number < 600) return number
  return statusOfWord.get(asText(code)?.toUpperCase() ?? '') ?? 500
}

export const writeProblem = writeGoogles

export function writeStreamProblem(problem: Problem): string {
  const error = { code: chooseWord(problem), message: problem.message }
  return `event: error\ndata: ${JSON.stringify({ event_type: 'error', error })}\n\n`
}
