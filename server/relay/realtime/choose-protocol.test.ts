import { expect, test } from 'bun:test'
import { answerProtocols, betaHeader } from './choose-protocol.ts'

const KEY = 'openai-insecure-api-key.sk-secret'

test.each<[string | null, string | undefined]>([
  [null, undefined],
  ['', undefined],
  ['realtime', 'realtime'],
  [`realtime, ${KEY}, openai-beta.realtime-v1`, 'realtime'],
  [`${KEY},realtime`, 'realtime'],
  [`${KEY}, openai-beta.realtime-v1`, 'openai-beta.realtime-v1'],
  [KEY, ''],
])('an offer of %p is answered with %p', (offer, chosen) => {
  expect(answerProtocols(offer)['sec-websocket-protocol']).toBe(chosen)
})

test('the beta that a browser offers becomes a header', () => {
  expect(betaHeader(`realtime, ${KEY}, openai-beta.realtime-v1`)).toEqual({ 'openai-beta': 'realtime=v1' })
  expect(betaHeader('realtime')).toEqual({})
  expect(betaHeader(null)).toEqual({})
})
