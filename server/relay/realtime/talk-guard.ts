import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { asText, parseExactly } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { CallGuard } from '../guards/call-guard.ts'
import { splitFrames } from '../guards/frame.ts'
import { GuardedStream } from '../guards/guarded-stream.ts'
import { textsOfClientEvent } from '../guards/realtime-texts.ts'
import type { Frame } from './frame.ts'
import type { Refused } from './guard-model.ts'

const BEFORE = 'data: '

/** The operator's rules in a session: on each event of the client's, and on what the upstream writes. */
export class TalkGuard {
  readonly #guard: CallGuard
  readonly #stream: GuardedStream | undefined

  constructor(guard: CallGuard) {
    this.#guard = guard
    const rules = guard.streamRules
    this.#stream = rules && new GuardedStream('realtime', rules, guard.tally)
  }

  /** A client's frame as it may go on. It is written anew: another reader may see another field in what came. */
  readClient(frame: Frame): Frame | Refused {
    if (!this.#guard.rules.input) return frame
    const text = frame.toString()
    if (isCrowded(text)) return { error: new AppError('relay.crowded-json', crowd), eventId: null }
    const event = parseExactly(text)
    if (!event) return { error: new AppError('relay.invalid-json'), eventId: null }
    try {
      this.#guard.readRequest(textsOfClientEvent(event))
    } catch (error) {
      if (error instanceof AppError) return { error, eventId: asText(event.event_id) ?? null }
      throw error
    }
    return JSON.stringify(event)
  }

  /** What may go to the client, now that the upstream has said this too. */
  readUpstream(event: string): readonly string[] {
    if (!this.#stream) return [event]
    const json = /[\r\n]/.test(event) ? parseExactly(event) : undefined
    return unframed(this.#stream.push(`${BEFORE}${json ? JSON.stringify(json) : event}\n\n`))
  }

  /** The upstream says no more. */
  breakOff(): readonly string[] {
    return this.#stream ? unframed(this.#stream.breakOff()) : []
  }

  /** Why the session may not go on. */
  get refusal(): AppError | undefined {
    return this.#stream?.refusal
  }
}

function unframed(text: string): readonly string[] {
  return splitFrames(text).map(frame => frame.slice(BEFORE.length).trimEnd())
}
