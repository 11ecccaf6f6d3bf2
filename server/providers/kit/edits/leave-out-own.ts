import { isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import type { Edits } from '../../define.ts'
import { mapChanged } from './map-changed.ts'

/**
 * What only Anthropic's own house takes, and clients such as Claude Code write into every request: elsewhere it
 * is an extra input and a 400. None of it changes the answer.
 */
export function leaveOutOwn(body: JsonObject): Edits | undefined {
  const { cache_control } = leaveOutScope(body)
  const system = mapChanged(body.system, leaveOutOfBlock)
  const tools = mapChanged(body.tools, leaveOutOfBlock)
  const messages = mapChanged(body.messages, message => {
    const content = isObject(message) ? mapChanged(message.content, leaveOutOfBlock) : undefined
    return content && isObject(message) ? { ...message, content } : message
  })
  const edits: Edits = {
    ...(cache_control !== body.cache_control && { cache_control }),
    ...(system && { system }),
    ...(tools && { tools }),
    ...(messages && { messages }),
  }
  return Object.keys(edits).length > 0 ? edits : undefined
}

function leaveOutOfBlock(block: Json): Json {
  if (!isObject(block)) return block
  const unscoped = leaveOutScope(block)
  if (unscoped.eager_input_streaming === undefined) return unscoped
  const { eager_input_streaming: _, ...rest } = unscoped
  return rest
}

/** Who shares what is kept. */
function leaveOutScope(holder: JsonObject): JsonObject {
  const mark = holder.cache_control
  if (!isObject(mark) || mark.scope === undefined) return holder
  const { scope: _, ...rest } = mark
  return { ...holder, cache_control: rest }
}
