import { isObject, type Json } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import type { JsonBody } from './read-body.ts'

/** Fields of the dialects in which people's words stand. */
const spoken = [
  'messages',
  'system',
  'instructions',
  'input',
  'contents',
  'systemInstruction',
  'prompt',
  'query',
  'documents',
]
/** What stands under these is not text to be read. */
const unspoken = new Set([
  'data',
  'url',
  'image_url',
  'file_data',
  'encrypted_content',
  'signature',
  'thoughtSignature',
  'type',
  'role',
  'id',
  'name',
  'media_type',
  'mimeType',
])

let knownText: string | undefined
let knownWords: readonly string[] = []

/** Refuses a prompt that holds one of the operator's words, whatever their case. */
export function refuseSensitiveWords(
  settings: Settings,
  { json, text: raw }: Pick<JsonBody, 'json'> & Partial<JsonBody>,
): void {
  if (!settings.get('CheckSensitiveEnabled') || !settings.get('CheckSensitiveOnPromptEnabled')) return
  const words = listWords(settings.get('SensitiveWords'))
  if (words.length === 0 || (raw !== undefined && cannotHold(raw, words))) return
  const text = spoken
    .map(field => collectText(json[field]))
    .join('\n')
    .toLowerCase()
  const found = words.filter(word => text.includes(word))
  if (found.length > 0) throw new AppError('relay.sensitive', { words: found.slice(0, 10).join(', ') })
}

/** Most requests are told by their bare text: nothing in it is written as an escape, and no word is there. */
function cannotHold(raw: string, words: readonly string[]): boolean {
  if (raw.includes('\\')) return false
  const text = raw.toLowerCase()
  return !words.some(word => text.includes(word))
}

function listWords(text: string): readonly string[] {
  if (text !== knownText) {
    knownText = text
    knownWords = [...new Set(text.split('\n').map(word => word.trim().toLowerCase()))].filter(Boolean)
  }
  return knownWords
}

/** Not recursive: bodies may be deep. */
function collectText(start: Json | undefined): string {
  const texts: string[] = []
  const waiting: (Json | undefined)[] = [start]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) for (const inner of value) waiting.push(inner)
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) if (!unspoken.has(key)) waiting.push(inner)
  }
  return texts.join('\n')
}
