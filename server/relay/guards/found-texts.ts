import { asArray, isObject, type JsonObject } from '../../dialects/json.ts'
import { type TextPlace, textsOfData } from '../request/spoken-texts.ts'
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
