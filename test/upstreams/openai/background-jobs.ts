import type { JsonObject } from '../../../server/dialects/json.ts'
import type { JobScript } from '../script.ts'
import type { Signatures } from '../signatures.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered, Route } from '../upstream.ts'
import { refuseOpenai } from './fail.ts'
import { storeOf, wholeOf } from './stored-responses.ts'

/** A response that is made while nobody waits. */
interface Job {
  readonly script: JobScript
  /** As it is at its end, and its events up to that; none where it was not made to stream. */
  readonly finished: JsonObject
  readonly frames: readonly string[]
  /** How it ended, once it has. */
  ended: JsonObject | undefined
}
const jobs = new WeakMap<Signatures, Map<string, Job>>()

function jobsOf(signatures: Signatures): Map<string, Job> {
  const known = jobs.get(signatures) ?? new Map<string, Job>()
  jobs.set(signatures, known)
  return known
}

export function checkBackground({ body }: Call): void {
  if (body.background !== true || body.store !== false) return
  refuseOpenai("Background mode requires 'store' to be true.", 'store', 'invalid_value')
}

/** It begins, and is over when the script says. */
export function beginJob(
  { signatures }: Call,
  script: JobScript,
  { queued, finished, frames }: { queued: JsonObject; finished: JsonObject; frames: readonly string[] },
): void {
  const job: Job = { script, finished, frames, ended: undefined }
  const id = String(queued.id)
  jobsOf(signatures).set(id, job)
  const end = (): void => {
    job.ended ??= finished
    const whole = storeOf(signatures).wholes.get(id)
    if (whole) whole.response = job.ended
  }
  if (script.until) void script.until.then(end)
}

/** What is told of it now: one that waits for nothing is over when it is first looked at. */
export function tellJob({ params: { id = '' }, signatures }: Call, stored: JsonObject): JsonObject {
  const job = jobsOf(signatures).get(id)
  if (!job) return stored
  if (!job.script.until) job.ended ??= job.finished
  return job.ended ?? { ...stored, status: 'in_progress' }
}

/** Its events behind the one that the client has last, when all of them are there. */
export async function tellEvents(call: Call): Promise<Rendered> {
  const { id = '' } = call.params
  const job = jobsOf(call.signatures).get(id)
  if (!job || job.frames.length === 0)
    refuseOpenai('Only a background response that was created with stream=true can be streamed.', 'stream')
  const { starting_after: last } = call.seen.query
  if (last !== undefined && !/^\d+$/.test(last)) refuseOpenai('Invalid cursor.', 'starting_after')
  if (job.script.until) await job.script.until
  job.ended ??= job.finished
  const frames = job.frames.slice(last === undefined ? 0 : Number(last) + 1)
  return { contentType: 'text/event-stream; charset=utf-8', frames, tally: NO_TALLY }
}

export function cancelRoute(prefix: string): Route {
  return {
    method: 'POST',
    path: new RegExp(`^${prefix}/responses/(?<id>resp_\\w+)/cancel$`),
    takes: 'nothing',
    answer: call => {
      const { id = '' } = call.params
      const { response } = wholeOf(call)
      const job = jobsOf(call.signatures).get(id)
      if (!job) refuseOpenai('Cannot cancel a synchronous response.')
      if (job.ended && job.ended.status !== 'cancelled')
        refuseOpenai(`Cannot cancel a response that is ${String(job.ended.status)}.`)
      const { used = null } = job.script
      job.ended ??= { ...response, status: 'cancelled', usage: used }
      storeOf(call.signatures).wholes.set(id, { response: job.ended, input: [] })
      return { contentType: 'application/json', body: JSON.stringify(job.ended), tally: NO_TALLY }
    },
  }
}
