import { asArray, asObject, type JsonObject } from '../../server/dialects/json.ts'

/** The text of a stream in any of the dialects, by where each keeps its deltas. */
export function textOfEvents(events: readonly { readonly data: string }[]): string {
  return events.map(({ data }) => (data === '[DONE]' ? '' : deltaOf(JSON.parse(data)))).join('')
}

export function deltaOf(data: JsonObject): string {
  if (data.type === 'response.output_text.delta') return String(data.delta)
  if (data.type === 'content_block_delta') return String(asObject(data.delta)?.text ?? '')
  if (data.candidates !== undefined) {
    const content = asObject(asObject(asArray(data.candidates)[0])?.content)
    return asArray(content?.parts)
      .map(part => String(asObject(part)?.text ?? ''))
      .join('')
  }
  return String(asObject(asObject(asArray(data.choices)[0])?.delta)?.content ?? '')
}
