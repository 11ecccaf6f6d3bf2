import { dialects } from '../../dialects/index.ts'
import { asNumber, asText, type JsonObject } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'

/** What is wrong with the app, or with the channel, and never with what was asked: all come as 400. */
const statusOfCode = new Map([
  ['app_unavailable', 503],
  ['model_currently_not_support', 503],
  ['not_chat_app', 404],
  ['not_completion_app', 404],
  ['not_workflow_app', 404],
])

const FAILED = 502

export function readProblem(status: number, body: unknown): Problem {
  const problem = dialects['openai-chat'].readProblem(status, body)
  const known = statusOfCode.get(problem.code ?? '')
  return known === undefined ? problem : { ...problem, status: known }
}

/** `{code, message, status}`, also as an event of a stream. */
export function readFailure(body: JsonObject): Problem | undefined {
  if (!asText(body.message) || body.code === undefined || body.answer !== undefined) return undefined
  const status = asNumber(body.status) ?? 0
  return readProblem(status >= 400 && status < 600 ? status : FAILED, body)
}
