import { dialects } from '../../../dialects/index.ts'
import type { Endpoint } from '../../define.ts'

/** For a vendor whose code, or type, says more than the status that it comes with. */
export function statusByCode(statuses: ReadonlyMap<string, number>): NonNullable<Endpoint['readProblem']> {
  return (status, body, headers) => {
    const problem = dialects['openai-chat'].readProblem(status, body, headers)
    const meant = statuses.get(problem.code ?? '') ?? statuses.get(problem.type ?? '')
    if (meant === undefined) return problem
    return { ...problem, status: meant, ...(meant === 404 && { code: 'model_not_found' }) }
  }
}
