import { expect, test } from 'bun:test'
import type { Finding } from '../../../contract/guards/judge.ts'
import { findAcross } from './across-places.ts'
import { textsOfTranscript } from './transcript-texts.ts'

const rule = { name: 'town' } as Finding['rule']

/** Where the town is named, in texts that are read as guards read them: without those that say nothing. */
function across(segments: readonly string[], text?: string): readonly number[][] {
  const body = { ...(text === undefined ? {} : { text }), segments: segments.map(said => ({ text: said })) }
  const places = textsOfTranscript(body).filter(place => place.text !== '')
  const found = findAcross(places, said => {
    const start = said.indexOf('new york')
    return start < 0 ? [] : [{ rule, start, end: start + 8, mask: '[town]' }]
  })
  return found.map(({ parts }) => [...parts.keys()])
}

test('what is cut by the border of two segments is found, also behind one that says nothing', () => {
  expect(across(['off to new', 'york'])).toEqual([[0, 1]])
  expect(across(['', 'off to new', 'york'])).toEqual([[0, 1]])
  expect(across(['off to new', '', 'york'])).toEqual([[0, 1]])
})

test('the whole text does not go on in the segments', () => {
  expect(across(['york is large', 'he said'], 'it is new')).toEqual([])
  expect(across(['', 'york is large'], 'it is new')).toEqual([])
})
