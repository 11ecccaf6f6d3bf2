import { isObject, type Json, type JsonObject } from './json.ts'
import { refuseField } from './refuse.ts'

/** The files of its vendor that a request names, by their ids. */
export interface NamedFiles {
  /** To be read, or to be put where code runs. */
  readonly wanted: ReadonlySet<string>
  /** Only told of, because code wrote them before or something is cited from them: they may be gone. */
  readonly met: ReadonlySet<string>
}

/** More than any request is about. */
export const MOST_FILES = 500

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
const name = new RegExp(`"${NAME.map(letter => `(?:${letter})`).join('')}(?:s|\\\\u0073)?"\\s*:`)
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
    if ('file_ids' in value) met++
    for (const member in value) waiting.push(value[member] ?? null)
  }
  if ((text.match(names)?.length ?? 0) > met) refuseField('file_id', 'field.repeated')
}

export function refuseTooManyFiles({ wanted, met }: NamedFiles): NamedFiles {
  if (wanted.size + met.size > MOST_FILES) refuseField('file_id', 'field.most', { most: MOST_FILES })
  return { wanted, met }
}

/**
 * What code wrote is an output of it, and what is cited has a location, or is the citation: none of them is read for that.
 */
export function isTold(type: Json | undefined): boolean {
  return typeof type === 'string' && /_(?:output|location|citation)$|^file_path$/.test(type)
}
