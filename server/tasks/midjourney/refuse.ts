import { AppError } from '../../errors.ts'
import { asProblem, wordsOf } from '../../relay/problems.ts'
import type { Incoming } from '../../relay/request/incoming.ts'
import { isShortOfQuota } from '../../relay/short-of-quota.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { codes } from './ask-drawing.ts'

/** A request that is wrong, and anything else that went wrong. */
const own = { request: 4, unknown: 5 } as const
const busy = '当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。'

/** An error as clients of drawing proxies read one. */
export function refuse(error: unknown, incoming: Incoming): Response {
  const failure = failureIn(error)
  const code = Number(failure?.problem?.code ?? Number.NaN)
  if (failure?.problem && Number.isInteger(code)) {
    const message = wordsOf(failure.problem, incoming.language)
    const isBusy = code === codes.busy
    const description = isBusy ? `${message} ${busy}` : message
    return answer(isBusy ? 429 : 400, { description, type: 'upstream_error', code })
  }
  const problem = asProblem(error, incoming)
  if (isShortOfQuota(error))
    return answer(400, { description: 'quota_not_enough', type: 'upstream_error', code: own.request })
  if (error instanceof AppError && error.code.startsWith('task.')) {
    const description = error.text(incoming.language)
    return answer(error.status, { description, type: 'upstream_error', code: own.request })
  }
  const isUpstreams = failure !== undefined
  return answer(problem.status, {
    description: problem.message,
    type: isUpstreams ? 'upstream_error' : 'new_api_error',
    code: problem.status < 500 ? own.request : own.unknown,
  })
}

/** The rest of the house may have put it into other words; here the upstream's own are what clients look for. */
function failureIn(error: unknown): UpstreamFailure | undefined {
  if (error instanceof UpstreamFailure) return error
  const isBusy = error instanceof AppError && error.code === 'relay.upstream-busy'
  return isBusy && error.cause instanceof UpstreamFailure ? error.cause : undefined
}

function answer(status: number, body: { description: string; type: string; code: number }): Response {
  return Response.json(body, { status })
}
