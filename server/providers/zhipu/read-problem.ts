import type { JsonObject } from '../../dialects/json.ts'
import type { Problem } from '../../dialects/spec.ts'
import { readFailure as readNumbered, readProblem as readStatus } from '../chatglm/read-failure.ts'
import type { Endpoint } from '../define.ts'

/** The account owes money: nothing can be asked with any of its keys, however busy it says that it is. */
const OWES = '1113'

export function readFailure(body: JsonObject): Problem | undefined {
  const problem = readNumbered(body)
  return problem && judge(problem)
}

export const readProblem: Endpoint['readProblem'] = (...told) => judge(readStatus(...told))

function judge(problem: Problem): Problem {
  return problem.code === OWES ? { ...problem, status: 401 } : problem
}
