import { asObject, asText } from '../../../server/dialects/json.ts'
import type { Signatures } from '../signatures.ts'
import { type Call, Refusal } from '../upstream.ts'
import { anthropicError, refuseAnthropic } from './fail.ts'

const BETA = 'message-threads-2026-08-12'
/** What a thread keeps from its beginning. */
const KEPT = ['system', 'tools']

const threads = new WeakMap<Signatures, Set<string>>()

/** Messages that can be gone on from, each once. One store per set of signatures. */
function messagesOf(signatures: Signatures): Set<string> {
  const messages = threads.get(signatures) ?? new Set()
  threads.set(signatures, messages)
  return messages
}

export function checkThread({ body, seen, signatures }: Call): void {
  const thread = asObject(body.thread)
  if (thread === undefined) return
  if (!seen.headers['anthropic-beta']?.includes(BETA))
    refuseAnthropic('thread: Extra inputs are not permitted')
  if (thread.type === 'create') return
  if (thread.type !== 'continue') refuseAnthropic("thread.type: Input should be 'create' or 'continue'")
  const kept = KEPT.find(name => body[name] !== undefined)
  if (kept !== undefined) refuseAnthropic(`${kept}: not permitted when a thread is continued`)
  if (messagesOf(signatures).delete(asText(thread.previous_message_id) ?? '')) return
  const { status, body: said } = anthropicError(404, 'not_found_error', 'Thread not found')
  const error = { ...asObject(said.error), details: { error_code: 'thread_not_found' } }
  throw new Refusal('no such thread', { status, body: { ...said, error } })
}

export function keepInThread({ body, signatures }: Call, id: string): void {
  if (asObject(body.thread) !== undefined) messagesOf(signatures).add(id)
}
