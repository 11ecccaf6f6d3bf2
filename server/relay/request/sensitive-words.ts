import { AppError } from '../../errors.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import type { JsonBody } from './read-body.ts'
import { textsOfRequest } from './spoken-texts.ts'

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
  const text = textsOfRequest(json)
    .map(place => place.text)
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
