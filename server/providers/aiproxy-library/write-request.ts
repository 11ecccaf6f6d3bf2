import type { JsonObject } from '../../dialects/json.ts'
import { refuseFeature, refuseNamed } from '../../dialects/refuse.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import type { Destination } from '../define.ts'
import { plainMessages } from '../kit/edits/plain-messages.ts'

/** A library is asked one question, the last; what was said before it has no place. */
export function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  if (request.format) refuseNamed('response_format')
  const libraryId = to.other.trim()
  if (libraryId === '') refuseFeature('feature.no-library')
  const query = plainMessages(request).at(-1)?.content ?? ''
  return { model: to.model, query, libraryId, stream: to.stream }
}
