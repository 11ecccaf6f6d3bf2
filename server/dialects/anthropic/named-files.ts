import { isTold, type NamedFiles, refuseTooManyFiles } from '../file-names.ts'
import { asArray, asObject, isObject, type Json, type JsonObject } from '../json.ts'

/** What a tool is called with is its own, whatever it looks like. */
const calls = /tool_use$/

/** Not recursive: bodies may be deep. */
export function filesNamedIn({ system, messages }: JsonObject): NamedFiles {
  const wanted = new Set<string>()
  const met = new Set<string>()
  const waiting: Json[] = [system ?? null, messages ?? null]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) for (const one of value) waiting.push(one)
    if (!isObject(value)) continue
    const { type, file_id } = value
    if (typeof file_id === 'string') (isTold(type) ? met : wanted).add(file_id)
    const isCall = typeof type === 'string' && calls.test(type)
    for (const name in value) if (!(isCall && name === 'input')) waiting.push(value[name] ?? null)
  }
  return refuseTooManyFiles({ wanted, met })
}

/** Those that code wrote for an answer, in the blocks that tell what became of it. */
export function filesMadeIn(blocks: Json | undefined): readonly string[] {
  return asArray(blocks).flatMap(block => filesMadeBy(asObject(block)))
}

export function filesMadeBy(block: JsonObject | undefined): readonly string[] {
  if (typeof block?.type !== 'string' || !block.type.endsWith('_tool_result')) return []
  return asArray(asObject(block.content)?.content).flatMap(value => {
    const output = asObject(value)
    const isOutput = typeof output?.type === 'string' && output.type.endsWith('_output')
    return isOutput && typeof output.file_id === 'string' ? [output.file_id] : []
  })
}
