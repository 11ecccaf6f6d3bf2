import { asArray, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { cutPieces } from '../reply.ts'
import type { Answer } from '../script.ts'

/** Everything the stream says of one item of the output, in order. */
export function writeItemEvents(item: JsonObject, index: number, answer: Answer): JsonObject[] {
  const at = { output_index: index }
  const here = { item_id: item.id, ...at }
  const added = { type: 'response.output_item.added', ...at, item: startedItem(item) }
  const done = { type: 'response.output_item.done', ...at, item }
  if (item.type === 'message') return [added, ...textEvents(item, here, answer), done]
  if (item.type === 'function_call') return [added, ...callEvents(item, here), done]
  return [added, ...summaryEvents(item, here, answer), done]
}

function startedItem(item: JsonObject): JsonObject {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  // What is sealed when the item begins is not what is sealed when it ends.
  const sealed = item.encrypted_content === undefined ? {} : { encrypted_content: 'sealed-too-early' }
  return { ...item, ...sealed, summary: [] }
}

function textEvents(item: JsonObject, here: JsonObject, answer: Answer): JsonObject[] {
  const part = asObject(asArray(item.content)[0]) ?? {}
  const text = String(part.text)
  const spot = { ...here, content_index: 0 }
  return [
    { type: 'response.content_part.added', ...spot, part: { ...part, text: '', logprobs: [] } },
    ...cutPieces(text, answer.pieceChars).map((delta, at) => ({
      type: 'response.output_text.delta',
      ...spot,
      delta,
      logprobs: asArray(part.logprobs).slice(at, at + 1),
      obfuscation: 'xK3',
    })),
    { type: 'response.output_text.done', ...spot, text, logprobs: part.logprobs },
    { type: 'response.content_part.done', ...spot, part },
  ]
}

function callEvents(item: JsonObject, here: JsonObject): JsonObject[] {
  const json = String(item.arguments)
  const half = Math.ceil(json.length / 2)
  return [
    ...[json.slice(0, half), json.slice(half)].map(delta => ({
      type: 'response.function_call_arguments.delta',
      ...here,
      delta,
      obfuscation: 'xK3',
    })),
    { type: 'response.function_call_arguments.done', ...here, name: item.name, arguments: json },
  ]
}

function summaryEvents(item: JsonObject, here: JsonObject, answer: Answer): JsonObject[] {
  return asArray(item.summary).flatMap((one, index) => {
    const text = String(asObject(one)?.text)
    const spot = { ...here, summary_index: index }
    return [
      { type: 'response.reasoning_summary_part.added', ...spot, part: { type: 'summary_text', text: '' } },
      ...cutPieces(text, answer.pieceChars).map(delta => ({
        type: 'response.reasoning_summary_text.delta',
        ...spot,
        delta,
      })),
      { type: 'response.reasoning_summary_text.done', ...spot, text },
      { type: 'response.reasoning_summary_part.done', ...spot, part: one },
    ]
  })
}
