import { asArray, isObject, type JsonObject } from '../../dialects/json.ts'
import type { TextPlace } from '../request/spoken-texts.ts'
import { placeOf } from './answer-texts.ts'

/**
 * The words of a transcript, and those of its segments. What repeats them by single words, tokens and likelihoods is
 * left out where they are changed.
 */
export function textsOfTranscript(body: JsonObject): TextPlace[] {
  const segments = asArray(body.segments).flatMap(segment =>
    isObject(segment) ? without(segment, ['tokens']) : [],
  )
  return [...without(body, ['words', 'logprobs']), ...inTurn(segments)]
}

/** A word may be cut by the border of two. One that says nothing is read by nobody, and begins nothing. */
function inTurn(places: readonly TextPlace[]): TextPlace[] {
  const said = places.filter(({ text }) => text !== '')
  return said.map((place, at) => (at === 0 ? place : { ...place, goesOn: true }))
}

function without(holder: JsonObject, repeating: readonly string[]): TextPlace[] {
  return placeOf(holder, 'text').map(place => ({
    text: place.text,
    put(text) {
      place.put(text)
      for (const key of repeating) delete holder[key]
    },
  }))
}

/** The same of one that is no JSON. Subtitles are read line by line, but for their numbers and times. */
export function linesOfTranscript(
  text: string,
  areSubtitles: boolean,
): { readonly places: TextPlace[]; readonly lines: string[] } {
  const lines = areSubtitles ? text.split(/(?<=\n)/) : [text]
  const places = lines.flatMap((line, at): TextPlace[] => {
    if (areSubtitles && (line.includes('-->') || /^\d*\s*$/.test(line))) return []
    const end = areSubtitles ? (/\r?\n$/.exec(line)?.[0] ?? '') : ''
    const put = (masked: string): void => {
      // One that was all hidden goes: a blank line would end what is shown together.
      lines[at] = masked.trim() === '' ? '' : masked + end
    }
    return [{ text: line.slice(0, line.length - end.length), put }]
  })
  return { places: inTurn(places), lines }
}
