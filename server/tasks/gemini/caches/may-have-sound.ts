import { isObject, type Json, type JsonObject, parseObject } from '../../../dialects/json.ts'
import type { GeminiFile } from '../../../relay/gemini/file-rows.ts'

const sounding = /^(?:audio|video)/i

/**
 * Whether there may be sound or film in what is cached. A file of ours is also what it was when it was uploaded, whatever
 * it is called now; of which nobody says what it is, as of a film elsewhere, may be either.
 */
export function mayHaveSound(content: JsonObject, files: ReadonlyMap<string, GeminiFile>): boolean {
  const waiting: Json[] = [content]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) for (const one of value) waiting.push(one)
    if (!isObject(value)) continue
    const uri = value.fileUri ?? value.file_uri
    const file = typeof uri === 'string' ? files.get(uri) : undefined
    const told = [value.mimeType, value.mime_type, file && parseObject(file.data)?.mimeType]
    const types = told.filter(type => typeof type === 'string')
    if (types.some(type => sounding.test(type)) || (uri !== undefined && types.length === 0)) return true
    for (const inner of Object.values(value)) if (inner !== undefined) waiting.push(inner)
  }
  return false
}
