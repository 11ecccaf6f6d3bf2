import { afterAll, beforeAll, expect, test } from 'bun:test'
import { GoogleGenAI } from '@google/genai'
import { bodyOf, expectOrder, type House, MODELS, openHouse } from './house.ts'

// An answer of Gemini's that is longer than one may be: its SDK asks again with the token that came, which only the
// account knows that gave it.

const model = MODELS.gemini
let house: House
let google: GoogleGenAI
beforeAll(async () => {
  house = await openHouse()
  google = new GoogleGenAI({ apiKey: house.key, httpOptions: { baseUrl: house.rig.url } })
})
afterAll(() => house.close())

test.each([false, true])('goes on where it was, and nobody else’s does; streamed %p', async stream => {
  const token = Buffer.from(`token ${stream}`).toString('base64')
  const goOn = (text: string): string =>
    text.replace(/"finishReason": ?"STOP"/, `"finishReason":"CONTINUATION","continuationToken":"${token}"`)
  house.fakes.gemini.next({
    whole: answer => JSON.parse(goOn(JSON.stringify(answer))),
    frames: frames => frames.map(goOn),
  })
  const before = await house.rig.balance(house.userId)
  const from = house.fakes.gemini.requests.length
  const asking = { model, contents: 'Tell me a long story' }
  if (stream) await Array.fromAsync(await google.models.generateContentStream(asking))
  else await google.models.generateContent(asking)
  const asked = house.fakes.gemini.requests.slice(from).map(bodyOf)
  expect(asked.map(({ continuationToken }) => continuationToken)).toEqual([undefined, token])
  expect(await house.rig.differences()).toEqual([])
  expect(before - (await house.rig.balance(house.userId))).toBe(2 * house.price('gemini'))

  const { key } = await house.rig.addToken({ userId: await house.rig.addUser() })
  const statusFor = async (apiKey: string) => {
    const headers = { 'x-goog-api-key': apiKey, 'content-type': 'application/json' }
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'Go on' }] }], continuationToken: token })
    const path = `${house.rig.url}/v1beta/models/${model}:generateContent`
    return (await fetch(path, { method: 'POST', headers, body })).status
  }
  expect(await statusFor(key)).toBe(404)
  expect(await statusFor(house.key)).toBe(200)
})

test('no vendor had to complain, and the books agree', () => expectOrder(house))
