import type { JsonObject } from '../../../../server/dialects/json.ts'
import type { JobScript } from '../../script.ts'
import type { Signatures } from '../../signatures.ts'
import { NO_TALLY } from '../../tally.ts'
import { type Call, Refusal, type Rendered, type Route } from '../../upstream.ts'
import { geminiError, refuseGemini } from '../fail.ts'

interface Stored {
  /** As it is at its end, and its events up to that; none where it was not made to stream. */
  readonly finished: JsonObject
  readonly frames: readonly string[]
  /** What it was asked and has answered, which the next reads again. */
  readonly text: string
  readonly input: JsonObject['input']
  /** Of one that is made in the background. */
  readonly job: JobScript | undefined
  /** How it ended, once it has. */
  ended: JsonObject | undefined
}
const stores = new WeakMap<Signatures, Map<string, Stored>>()

/** Each account has its own. */
function storeOf({ signatures, seen }: Call): Map<string, Stored> {
  const all = stores.get(signatures) ?? new Map<string, Stored>()
  stores.set(signatures, all)
  const own = `${seen.headers['x-goog-api-key'] ?? ''} `
  return {
    get: (id: string) => all.get(own + id),
    set: (id: string, one: Stored) => all.set(own + id, one),
    delete: (id: string) => all.delete(own + id),
  } as Map<string, Stored>
}

export function storeInteraction(call: Call, stored: Omit<Stored, 'ended' | 'input'>): void {
  const one: Stored = {
    ...stored,
    input: call.body.input,
    ended: stored.job ? undefined : stored.finished,
  }
  storeOf(call).set(String(stored.finished.id), one)
  if (stored.job?.until)
    void stored.job.until.then(() => {
      one.ended ??= one.finished
    })
}

export function interactionOf(call: Call, id = call.params.id ?? ''): Stored {
  const found = storeOf(call).get(decodeURIComponent(id))
  if (found) return found
  const message = `Interaction ${id} was not found.`
  throw new Refusal(message, geminiError(404, 'NOT_FOUND', message))
}

/** What is told of it now: one that waits for nothing is over when it is first looked at. */
function tellNow(stored: Stored): JsonObject {
  if (!stored.job?.until) stored.ended ??= stored.finished
  const { usage: _, steps: __, ...begun } = stored.finished
  return stored.ended ?? { ...begun, status: 'in_progress', steps: [] }
}

const at = (rest: string): RegExp => new RegExp(`^/v1/interactions/(?<id>[\\w.%~=-]+)${rest}$`)

export const storedRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: at(''),
    query: ['include_input', 'last_event_id', 'stream'],
    takes: 'nothing',
    answer: call => {
      const stored = interactionOf(call)
      const { stream, include_input } = call.seen.query
      if (stream === 'true') return tellEvents(call, stored)
      return tell({ ...tellNow(stored), ...(include_input === 'true' && { input: stored.input }) })
    },
  },
  {
    method: 'DELETE',
    path: at(''),
    takes: 'nothing',
    answer: call => {
      interactionOf(call)
      storeOf(call).delete(decodeURIComponent(call.params.id ?? ''))
      return tell({})
    },
  },
  {
    method: 'POST',
    path: at('/cancel'),
    takes: 'nothing',
    answer: call => {
      const stored = interactionOf(call)
      if (!stored.job) refuseGemini('Only background interactions can be cancelled.')
      if (stored.ended && stored.ended.status !== 'cancelled')
        refuseGemini(`The interaction is already ${String(stored.ended.status)}.`)
      const { used } = stored.job
      const { usage: _, ...begun } = stored.finished
      stored.ended ??= { ...begun, status: 'cancelled', steps: [], ...(used && { usage: used }) }
      return tell(stored.ended)
    },
  },
]

/** Its events behind the one that the client has last, when all of them are there. */
async function tellEvents({ seen }: Call, stored: Stored): Promise<Rendered> {
  if (stored.frames.length === 0) refuseGemini('Only an interaction that was streamed can be streamed again.')
  if (stored.job?.until) await stored.job.until
  stored.ended ??= stored.finished
  const { last_event_id: last } = seen.query
  const from = last === undefined ? 0 : stored.frames.findIndex(frame => frame.includes(`"${last}"`)) + 1
  if (last !== undefined && from === 0) refuseGemini('Invalid last_event_id.')
  return { contentType: 'text/event-stream', frames: stored.frames.slice(from), tally: NO_TALLY }
}

function tell(body: JsonObject): Rendered {
  return { contentType: 'application/json; charset=UTF-8', body: JSON.stringify(body), tally: NO_TALLY }
}
