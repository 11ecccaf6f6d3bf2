import { asArray, asObject, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseField } from '../refuse.ts'

/** The files of its vendor that a request names, by their ids. */
export interface NamedFiles {
  /** To be read, or to be put where code runs. */
  readonly wanted: ReadonlySet<string>
  /** Only told of, because code wrote them before or something is cited from them: they may be gone. */
  readonly met: ReadonlySet<string>
}

/** More than any request is about. */
const MOST_FILES = 500
/** What a tool is called with is its own, whatever it looks like. */
const calls = /tool_use$/

/** The name before its value, whichever of its letters are escaped. */
const NAME = [
  'f|\\\\u0066',
  'i|\\\\u0069',
  'l|\\\\u006[cC]',
  'e|\\\\u0065',
  '_|\\\\u005[fF]',
  'i|\\\\u0069',
  'd|\\\\u0064',
]
const name = new RegExp(`"${NAME.map(letter => `(?:${letter})`).join('')}"\\s*:`)
const names = new RegExp(name, 'g')

/** Whether there may be any. A name may be escaped. */
export function mayNameFiles(text: string): boolean {
  return text.includes('file_id') || (text.includes('\\u00') && name.test(text))
}

/** Of two members of the same name some readers take the first: what goes on as it came must be what was looked at. */
export function refuseNamedTwice(json: JsonObject, text: string): void {
  let met = 0
  const waiting: Json[] = [json]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) for (const one of value) waiting.push(one)
    if (!isObject(value)) continue
    if ('file_id' in value) met++
    for (const member in value) waiting.push(value[member] ?? null)
  }
  if ((text.match(names)?.length ?? 0) > met) refuseField('file_id', 'field.repeated')
}

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
  if (wanted.size + met.size > MOST_FILES) refuseField('file_id', 'field.most', { most: MOST_FILES })
  return { wanted, met }
}

/** What code wrote is an output of it, and what is cited has a location: neither is read for that. */
export function isTold(type: Json | undefined): boolean {
  return typeof type === 'string' && (type.endsWith('_output') || type.endsWith('_location'))
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
