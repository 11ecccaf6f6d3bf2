import type { JsonObject } from '../../dialects/json.ts'
import { refuseFeature, refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { alternate, plainMessages } from '../kit/edits/plain-messages.ts'

export const GOOGLE = 'https://generativelanguage.googleapis.com'

/** The model stands in the address. A limit of tokens cannot be said. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  if (to.baseUrl === GOOGLE) refuseFeature('feature.palm')
  if (request.format) refuseNamed('response_format')
  if (request.stop?.length) refuseNamed('stop')
  const [first, ...rest] = plainMessages(request)
  const context = first?.role === 'system' ? first.content : ''
  const turns = context === '' && first ? [first, ...rest] : rest
  const { temperature, topP, topK } = request
  return {
    prompt: {
      ...(context !== '' && { context }),
      messages: alternate(turns).map(({ role, content }) => ({
        author: role === 'assistant' ? '1' : '0',
        content,
      })),
    },
    ...(temperature !== undefined && { temperature: Math.min(1, Math.max(0, temperature)) }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    candidateCount: 1,
  }
}
