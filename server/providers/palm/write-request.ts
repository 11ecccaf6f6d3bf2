import type { JsonObject } from '../../dialects/json.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import type { Destination } from '../define.ts'
import { alternate, plainMessages } from '../kit/plain-messages.ts'

export const GOOGLE = 'https://generativelanguage.googleapis.com'

/** The model stands in the address. A limit of tokens cannot be said. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  if (to.baseUrl === GOOGLE)
    throw new AppError('dialect.unsupported', { feature: 'PaLM2, which Google has switched off' })
  if (request.format) throw new AppError('dialect.unsupported', { feature: 'response_format' })
  if (request.stop?.length) throw new AppError('dialect.unsupported', { feature: 'stop' })
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
