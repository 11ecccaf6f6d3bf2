import { type JsonObject, parseObject } from '../../dialects/json.ts'
import { refuseFeature } from '../../dialects/refuse.ts'
import { asOutboundError } from '../../outbound/describe-failure.ts'
import { readText } from '../../outbound/read-body.ts'
import { LARGEST_ANSWER, type Reader, type ReadResult, readHidden } from '../chat/ask-chat.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import type { ComposedChat } from '../chat/compose-chat.ts'
import { readFrame, splitFrames } from '../guards/frame.ts'
import type { Channel } from '../routing/channel.ts'
import { scrubProblem } from '../upstream/scrub.ts'
import type { UpstreamCall } from '../upstream/upstream-call.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import type { JobForm } from './job-form.ts'
import { WholeFrames } from './whole-frames.ts'

/** A response that its upstream makes in the background from now on. */
export interface TakenJob {
  readonly kind: 'job'
  readonly id: string
  /** As its upstream tells it now; as text '' where it streams. */
  readonly response: JsonObject
  readonly text: string
  readonly events: JobEvents | undefined
}

/** Its events, of which the first are here. */
export interface JobEvents {
  readonly reader: { read(): Promise<ReadResult> }
  readonly frames: WholeFrames
  readonly first: string
  /** Closes the connection; what is made goes on. */
  stop(reason: unknown): void
}

interface Asked {
  readonly call: ChatCall
  readonly composed: ComposedChat
  readonly channel: Channel
  readonly upstream: UpstreamCall
  readonly form: JobForm
}

/** What the upstream says to a call that it is to work on in the background: it has taken it, or it has failed. */
export async function readTaken(response: Response, asked: Asked): Promise<TakenJob> {
  const taken = asked.call.outline.stream
    ? await readFirst(response, asked)
    : takenOf(await readText(response, LARGEST_ANSWER), asked)
  asked.upstream.stopClock()
  return taken
}

function takenOf(text: string, asked: Asked): TakenJob {
  const response = parseObject(text)
  const body = response?.error && !response.status ? undefined : response
  return { kind: 'job', id: check(body, response, asked), response: body ?? {}, text, events: undefined }
}

/** Until an event tells the id under which the rest can be had. */
async function readFirst(response: Response, asked: Asked): Promise<TakenJob> {
  if (!response.body) throw new UpstreamFailure({ without: 'empty' })
  const reader: Reader = response.body.getReader()
  const frames = new WholeFrames()
  let first = ''
  for (;;) {
    const { done, value } = await reader.read().catch(error => {
      throw asOutboundError(error)
    })
    if (done || !value) throw new UpstreamFailure({ without: 'empty' })
    const text = frames.push(value)
    first += text
    for (const raw of splitFrames(text)) {
      const { json } = readFrame(raw)
      const told = json && asked.form.toldIn(json)
      if (!told && !json?.error && json?.type !== 'error') continue
      const id = check(told, json, asked)
      // One that is not made in the background ends with this connection, and nobody could be charged for it.
      if (!told || !asked.form.goesOn(told)) refuseFeature('feature.background')
      const stop = (reason: unknown): void => asked.upstream.stop(reason)
      return { kind: 'job', id, response: told, text: '', events: { reader, frames, first, stop } }
    }
  }
}

/** The id of what was taken. A failure that comes at once is the channel's: another may be asked. */
function check(
  response: JsonObject | undefined,
  body: JsonObject | undefined,
  { composed, channel, form }: Asked,
): string {
  const failed = response?.status === 'failed' ? response : response ? undefined : body
  if (failed)
    throw new UpstreamFailure({ problem: scrubProblem(readHidden(composed, failed), channel, composed.url) })
  const id = form.idOf(response)
  // What came whole is an answer, in whichever way it was made.
  if (!response || id === undefined) throw new UpstreamFailure({ without: 'empty' })
  if (!form.goesOn(response) && !form.isOver(response)) refuseFeature('feature.background')
  return id
}
