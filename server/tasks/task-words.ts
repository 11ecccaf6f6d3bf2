import { isObject, type Json, type JsonObject, parseObject } from '../dialects/json.ts'
import type { Reading } from '../relay/guards/read-request.ts'
import { type Form, fieldOf, parseMultipart } from '../relay/request/parse-multipart.ts'
import type { TextPlace } from '../relay/request/spoken-texts.ts'
import { writeMultipart } from '../relay/request/write-multipart.ts'

/** What a job is submitted with: fields of JSON, or those of a form. */
export interface TaskBody {
  readonly fields: JsonObject
  readonly form?: Form | undefined
}

/** Where people's words stand, besides prompts of every kind. */
const spoken: ReadonlySet<string> = new Set([
  'title',
  'tags',
  'negative_tags',
  'lyrics',
  'text',
  'style',
  'description',
  'caption',
])
const METADATA = 'metadata'

/** The words of a job, wherever in its body they stand, and the body with what was done to them. */
export function readWords(body: TaskBody): Reading<TaskBody> {
  const { fields, form } = body
  return {
    places() {
      // Of what is there twice, nobody knows which a vendor takes.
      for (const { name } of form?.parts ?? []) if (form && isSpoken(name)) fieldOf(form, name)
      return [...wordsIn(fields), ...wordsInMetadata(fields)]
    },
    written(isChanged) {
      if (!isChanged) return body
      if (!form) return { fields }
      const edits: JsonObject = {}
      for (const name of Object.keys(fields))
        if (isSpoken(name) || name === METADATA) edits[name] = fields[name]
      const boundary = crypto.randomUUID()
      const bytes = writeMultipart(form, edits, boundary)
      return { fields, form: parseMultipart(bytes, `multipart/form-data; boundary=${boundary}`) }
    },
  }
}

/** Those in fields of any depth; `isRead` leaves out what has the name of one and is none. */
export function wordsIn(
  holder: JsonObject | Json[],
  isRead: (name: string) => boolean = () => true,
  isUnder = false,
): TextPlace[] {
  return Object.entries(holder).flatMap(([key, value]) => {
    const isWords = Array.isArray(holder) ? isUnder : isSpoken(key) && isRead(key)
    if (typeof value === 'string') return isWords ? [placeIn(holder, key, value)] : []
    return Array.isArray(value) || isObject(value) ? wordsIn(value, isRead, isWords) : []
  })
}

/** In a form it is JSON that stands in a text. */
function wordsInMetadata(fields: JsonObject): TextPlace[] {
  const inside = typeof fields[METADATA] === 'string' ? parseObject(fields[METADATA]) : undefined
  if (!inside) return []
  return wordsIn(inside).map(place => ({
    text: place.text,
    put(text) {
      place.put(text)
      fields[METADATA] = JSON.stringify(inside)
    },
  }))
}

function placeIn(holder: JsonObject | Json[], key: string, text: string): TextPlace {
  const put = (masked: string): void => {
    ;(holder as JsonObject)[key] = masked
  }
  return { text, put }
}

function isSpoken(name: string): boolean {
  return spoken.has(name.toLowerCase()) || /prompt$/i.test(name)
}
