import type { JsonObject } from '../dialects/json.ts'
import { refuseField } from '../dialects/refuse.ts'
import { readJsonBody } from '../relay/request/read-body.ts'

/** Escaped, and not with its escape escaped. */
const nul = /(?:^|[^\\])(?:\\\\)*\\u0000/

/** What is written down or looked for as it was said: not every database has a NUL in its texts. */
export async function readTaskBody(request: Request): Promise<JsonObject> {
  const { json, text } = await readJsonBody(request)
  if (nul.test(text)) refuseField('body', 'field.no-nul')
  return json
}
