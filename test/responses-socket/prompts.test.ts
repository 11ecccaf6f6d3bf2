// Prompts that are named over a socket: what they say is part of the conversation, as if the caller had said it.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asArray, asObject } from '../../server/dialects/json.ts'
import { addPrompt } from '../services/add-prompt.ts'
import { ask, create, type House, MODEL, openHouse, send } from './house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const user = (content: string) => ({ type: 'message', role: 'user', content })
const answer = { type: 'message', role: 'assistant' }
const named = (thing: string) => ({ id: 'about', variables: { thing } })

async function connect(headers: Record<string, string> = {}) {
  const { userId, token } = await house.addCaller()
  await addPrompt(house.rig.store, userId, {
    name: 'about',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is {{thing}}?' },
    ],
    model: MODEL,
  })
  const authorization = `Bearer ${token.key}`
  return house.connect(token.key, { headers: { authorization, 'accept-language': 'en', ...headers } })
}

function lastAsked() {
  const { instructions, input } = asObject(house.openai.requests.at(-1)?.json) ?? {}
  return { instructions, input: asArray(input) }
}

test('turns that go on find what it said, whether they name one again or not', async () => {
  const talk = await connect()
  const first = await ask(talk, { type: 'response.create', store: false, prompt: named('a toll') })
  expect(lastAsked()).toEqual({ instructions: 'Be brief.', input: [user('What is a toll?')] })
  const second = await ask(talk, create('And why?', { previous_response_id: first.id }))
  expect(lastAsked().input).toMatchObject([user('What is a toll?'), answer, user('And why?')])
  const more = { previous_response_id: second.id, prompt: named('a gate') }
  await ask(talk, create('In one word.', more))
  expect(lastAsked()).toMatchObject({
    instructions: 'Be brief.',
    input: [
      ...[user('What is a toll?'), answer, user('And why?'), answer],
      ...[user('What is a gate?'), user('In one word.')],
    ],
  })
})

test('what is added to a response comes after it, and the prompt is not put in again', async () => {
  const talk = await connect({ 'x-tollgate-prompt': 'about' })
  const { promise, resolve } = Promise.withResolvers<void>()
  house.openai.next({ hold: { afterFrames: 1, until: promise } })
  const variables = { prompt_variables: { thing: 'a toll' } }
  await send(talk, { type: 'response.create', store: false, ...variables })
  const created = asObject((await talk.until('response.created')).response)
  const steer = { type: 'response.steer', previous_response_id: created?.id ?? '', input: 'In one word.' }
  await send(talk, steer)
  await talk.until('response.steer.accepted')
  resolve()
  await talk.until('response.completed')
  await talk.until('response.completed')
  const { instructions, input } = lastAsked()
  expect(instructions).toBe('Be brief.')
  expect(input).toMatchObject([user('What is a toll?'), answer, { role: 'user' }])
})

test('the log tells which one it was, and a name that is none is refused', async () => {
  const talk = await connect()
  await ask(talk, { type: 'response.create', store: false, prompt: named('a toll') })
  const rows = await house.rig.store.db
    .selectFrom('logs')
    .select('other')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(JSON.parse(rows[0]?.other ?? '')).toMatchObject({ prompt_name: 'about', prompt_version: 1 })
  await send(talk, create('Hello', { prompt: { id: 'nobody-has-this' } }))
  expect(await talk.next()).toMatchObject({
    ...{ type: 'error', status: 404, error: { code: 'prompt_not_found' } },
  })
})
