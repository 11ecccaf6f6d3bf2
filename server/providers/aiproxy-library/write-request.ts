import type { JsonObject } from '../../dialects/json.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import type { Destination } from '../define.ts'
import { plainMessages } from '../kit/plain-messages.ts'

/** A library is asked one question, the last; what was said before it has no place. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  if (request.format) throw new AppError('dialect.unsupported', { feature: 'response_format' })
  const libraryId = to.other.trim()
  if (libraryId === '')
    throw new AppError('dialect.unsupported', { feature: 'a channel without the id of its library' })
  const query = plainMessages(request).at(-1)?.content ?? ''
  return { model: to.model, query, libraryId, stream: to.stream }
}
