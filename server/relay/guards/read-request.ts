import { isForm, type PlainCall } from '../plain/plain-call.ts'
import { parseMultipart } from '../request/parse-multipart.ts'
import { type JsonBody, readExactly } from '../request/read-body.ts'
import { type TextPlace, textsIn, textsOfRequest } from '../request/spoken-texts.ts'
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
      return isAll ? textsIn(json) : textsOfRequest(json)
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
  const fields = { ...call.fields }
  return {
    places: () => textsOfRequest(fields),
    written(isChanged) {
      if (!isChanged) return call
      const boundary = crypto.randomUUID()
      const { prompt, negative_prompt } = fields
      const bytes = writeMultipart(body, { prompt, negative_prompt }, boundary)
      return { ...call, fields, body: parseMultipart(bytes, `multipart/form-data; boundary=${boundary}`) }
    },
  }
}
