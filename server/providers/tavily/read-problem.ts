import { dialects } from '../../dialects/index.ts'
import { asObject, asText } from '../../dialects/json.ts'
import type { Endpoint } from '../define.ts'

/** The limits of a plan, and of what is paid as it is used: nothing is left until more is bought. */
const spent = new Set([432, 433])

/** Its sentence stands as `error` under `detail`. */
export const readProblem: NonNullable<Endpoint['readProblem']> = (status, body, headers) => {
  const problem = dialects['openai-chat'].readProblem(status, body, headers)
  const message = asText(asObject(asObject(body)?.detail)?.error)
  return { ...problem, ...(message && { message }), ...(spent.has(status) && { status: 402 }) }
}
