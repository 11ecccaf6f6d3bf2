import type { JsonObject } from '../../dialects/json.ts'
import { refuseFeature, refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { alternate, plainMessages } from '../kit/edits/plain-messages.ts'

const LEAST_OUTPUT = 2
const LEAST_TEMPERATURE = 0.01

/** The model stands in the address, the system text beside the turns. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  const messages = plainMessages(request)
  const system = messages[0]?.role === 'system' ? messages[0].content : ''
  const turns = alternate(system === '' ? messages : messages.slice(1))
  if (turns.at(-1)?.role === 'assistant') refuseFeature('feature.prefill')
  const { temperature, topP, stop, maxOutput, user } = request
  return {
    messages: turns.map(({ role, content }) => ({ role, content })),
    ...(system !== '' && { system }),
    ...(temperature !== undefined && { temperature: clamp(temperature, LEAST_TEMPERATURE) }),
    ...(topP !== undefined && { top_p: clamp(topP, 0) }),
    ...(stop?.length && { stop: [...stop] }),
    ...(maxOutput !== undefined && { max_output_tokens: Math.max(LEAST_OUTPUT, maxOutput) }),
    ...(user !== undefined && { user_id: user }),
    ...writeFormat(request),
    ...(to.stream && { stream: true }),
  }
}

function writeFormat({ format }: NeutralRequest): JsonObject {
  if (!format) return {}
  if (format.type === 'schema') refuseNamed('json_schema')
  return { response_format: 'json_object' }
}

function clamp(value: number, least: number): number {
  return Math.min(1, Math.max(least, value))
}
