import type { JsonObject } from '../../dialects/json.ts'
import type { Edits } from '../define.ts'

/** It names the encoding `embedding_type`, and knows no user. Numbers are put into base64 here, for who wants that. */
export function leaveOutEncoding(body: JsonObject): Edits | undefined {
  if (body.encoding_format === undefined && body.user === undefined) return undefined
  return { encoding_format: undefined, user: undefined }
}
