import { dialects } from '../../dialects/index.ts'
import { asNumber, asObject } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'

/** A subscription that is used up says when it can be used again. */
export function readProblem(status: number, body: unknown, headers?: Headers): Problem {
  const problem = dialects['openai-responses'].readProblem(status, body, headers)
  const wait = asNumber(asObject(asObject(body)?.error)?.resets_in_seconds)
  return wait === undefined ? problem : { ...problem, retryAfter: Math.max(0, Math.ceil(wait)) }
}
