import type { JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { alternate, type PlainMessage, plainMessages } from '../kit/edits/plain-messages.ts'

const LEAST = 0.01
const MOST_TOP_P = 0.99

/** The model stands in the address. A limit of tokens cannot be said. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  if (request.format) refuseNamed('response_format')
  const { temperature, topP, user } = request
  return {
    prompt: writePrompt(plainMessages(request)),
    ...(temperature !== undefined && { temperature: clamp(temperature, 1) }),
    ...(topP !== undefined && { top_p: clamp(topP, MOST_TOP_P) }),
    ...(user !== undefined && { user_id: user }),
    ...(to.stream && { incremental: true }),
  }
}

/** A system text takes the place of a question, so an answer has to follow it. */
function writePrompt(messages: readonly PlainMessage[]): JsonObject[] {
  const [first, ...rest] = messages
  if (first?.role !== 'system') return alternate(messages).map(write)
  return [write(first), { role: 'user', content: 'Okay' }, ...alternate(rest).map(write)]
}

function write({ role, content }: PlainMessage): JsonObject {
  return { role, content }
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(LEAST, value))
}
