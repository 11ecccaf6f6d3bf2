import type { JsonObject } from '../../dialects/json.ts'
import { isForm, type PlainCall } from '../plain/plain-call.ts'
import { type Form, fieldOf, parseMultipart, textsIn } from '../request/parse-multipart.ts'
import { type JsonBody, readExactly } from '../request/read-body.ts'
import { textsIn as allTextsIn, type TextPlace, textsOfRequest } from '../request/spoken-texts.ts'
import { writeMultipart } from '../request/write-multipart.ts'

/** The texts of a request, and the request with what was done to them. */
export interface Reading<Body> {
  places(): TextPlace[]
  /** The very same where nothing was changed. */
  written(isChanged: boolean): Body
}

/** `isAll`: everything in it is spoken. */
export function readBody(body: JsonBody, isAll = false): Reading<JsonBody> {
  let { json } = body
  return {
    places() {
      ;({ json } = readExactly(body))
      return isAll ? allTextsIn(json) : textsOfRequest(json)
    },
    written(isChanged) {
      if (!isChanged) return body
      const text = JSON.stringify(json)
      return { text, json: JSON.parse(text) }
    },
  }
}

export function readPlain(call: PlainCall): Reading<PlainCall> {
  const { body, form } = call
  if (!isForm(body)) {
    const reading = readBody(body, form === 'gemini')
    return {
      places: reading.places,
      written(isChanged) {
        const read = reading.written(isChanged)
        return isChanged ? { ...call, body: read, fields: read.json } : call
      },
    }
  }
  const words = wordsOfForm(body)
  return {
    places: () => textsOfRequest(words),
    written(isChanged) {
      if (!isChanged) return call
      const fields = { ...call.fields, prompt: words.prompt }
      const boundary = crypto.randomUUID()
      const bytes = writeMultipart(body, words, boundary)
      return { ...call, fields, body: parseMultipart(bytes, `multipart/form-data; boundary=${boundary}`) }
    },
  }
}

/** Of what is there twice, nobody knows which a vendor takes: in these fields it is refused. */
function wordsOfForm(form: Form): JsonObject {
  const words: JsonObject = { ...textsIn(form) }
  for (const name of ['prompt', 'negative_prompt']) {
    const text = fieldOf(form, name)
    if (text !== undefined) words[name] = text
  }
  return words
}
