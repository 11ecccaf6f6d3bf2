import type { JsonObject } from '../dialects/json.ts'
import { refuseField } from '../dialects/refuse.ts'
import type { Sent } from '../relay/request/incoming.ts'
import { readJsonBody } from '../relay/request/read-body.ts'

/** Escaped, and not with its escape escaped. */
const nul = /(?:^|[^\\])(?:\\\\)*\\u0000/

/** What is written down or looked for as it was said: not every database has a NUL in its texts. */
export async function readTaskBody(sent: Sent): Promise<JsonObject> {
  const { json, text } = await readJsonBody(sent)
  if (nul.test(text)) refuseField('body', 'field.no-nul')
  return json
}
