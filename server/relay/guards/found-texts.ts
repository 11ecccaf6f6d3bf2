import { asArray, isObject, type JsonObject } from '../../dialects/json.ts'
import { type TextPlace, textsIn, textsOfData, textsOfJson } from '../request/spoken-texts.ts'
import { placeOf } from './answer-texts.ts'

/** What a search has found. What its vendor has sealed of it says the same, and is left out where that is changed. */
export function textsOfSearch(body: JsonObject): TextPlace[] {
  return placeOf(body, 'output').map(place => ({
    text: place.text,
    put(text) {
      place.put(text)
      delete body.encrypted_output
    },
  }))
}

/** Documents that come back in their new order, as texts or with fields of their own. */
export function textsOfRanking(body: JsonObject): TextPlace[] {
  return [...asArray(body.results), ...asArray(body.data)].flatMap(one =>
    isObject(one) ? textsOfData(one.document, one, 'document') : [],
  )
}

/** What a search has found, by query where there were several. */
export function textsOfResults({ results = [] }: JsonObject): TextPlace[] {
  return textsIn({ results })
}

/** A document as it was read: its words, its tables, and what was made of it as JSON inside a text. */
export function textsOfPages(body: JsonObject): TextPlace[] {
  const { pages = [], document_annotation: made } = body
  const put = (text: string): void => {
    body.document_annotation = text
  }
  return [...textsIn({ pages }), ...(typeof made === 'string' ? textsOfJson(made, put) : [])]
}
