import { AppError } from '../../errors.ts'
import { asProblem } from '../../relay/problems.ts'
import type { Incoming } from '../../relay/request/incoming.ts'
import { isShortOfQuota } from '../../relay/short-of-quota.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'

/** An error as clients of music tasks read one. */
export function refuse(error: unknown, incoming: Incoming): Response {
  const problem = asProblem(error, incoming)
  if (isShortOfQuota(error)) return answer(403, 'quota_not_enough', problem.message)
  if (error instanceof AppError && error.code === 'task.not-found')
    return answer(404, 'task_not_exist', 'task_not_exist')
  if (error instanceof AppError && error.code === 'task.field')
    return answer(400, 'invalid_request', error.text(incoming.language))
  const isUpstreams = error instanceof UpstreamFailure
  return answer(
    problem.status,
    problem.code || (isUpstreams ? 'fail_to_fetch_task' : 'invalid_request'),
    problem.message,
  )
}

function answer(status: number, code: string, message: string): Response {
  return Response.json({ code, message, data: null }, { status })
}
