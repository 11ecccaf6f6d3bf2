import { dialects } from '../../dialects/index.ts'
import { asArray, asObject } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'

/** A prompt that moderation held back is no lack of rights, and a model that it does not have no wrong request. */
export function readProblem(status: number, body: unknown): Problem {
  const problem = dialects['openai-chat'].readProblem(status, body)
  const metadata = asObject(asObject(asObject(body)?.error)?.metadata)
  if (status === 403 && asArray(metadata?.reasons).length > 0)
    return { ...problem, status: 400, code: 'content_filter' }
  if (status === 400 && problem.message.endsWith(' is not a valid model ID'))
    return { ...problem, status: 404, code: 'model_not_found' }
  return problem
}
