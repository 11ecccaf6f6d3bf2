// What is written in a realtime session goes through the rules, in both directions.

import { afterEach, describe, expect, test } from 'bun:test'
import { type House, MODEL, openHouse, socketHeaders } from './house.ts'
import { COST, done, type Ear, say, startLoopback } from './upstream.ts'

const QUOTA = 10_000_000
const rule = { enabled: true, where: ['input', 'output'], groups: [], models: [MODEL] }
const people = { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email'] }, action: 'mask' }
const fruit = { ...rule, name: 'fruit', looks: { by: 'words', words: ['forbidden'] }, action: 'block' }
const webhook = { by: 'webhook', url: 'http://127.0.0.1:9/', seconds: 1 }

let house: House
let upstream: ReturnType<typeof startLoopback>

async function open(hear: Ear, rules: readonly object[] = [people, fruit]): Promise<void> {
  house = await openHouse(QUOTA)
  upstream = startLoopback(hear)
  await house.addChannel(upstream.url)
  await house.set('Guards', JSON.stringify(rules))
}
afterEach(async () => {
  await house.close()
  upstream.stop()
})

const guardsIn = ({ other }: { other: string }) => JSON.parse(other).admin_info.guards

describe('what the client writes', () => {
  test('goes on masked, wherever it stands, and sound as it came', async () => {
    await open((socket, event) => say(socket, { type: 'heard', event }))
    const talk = house.talk()
    await talk.until('session.created')
    const text = 'I am ada@example.com'
    const events = [
      { type: 'session.update', session: { instructions: text, tools: [], voice: 'alloy' } },
      {
        type: 'session.update',
        session: { audio: { input: { transcription: { model: MODEL, prompt: text } } } },
      },
      {
        type: 'conversation.item.create',
        item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      },
      {
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: 'c', output: text },
      },
      // As some who speak this protocol take them too.
      { type: 'conversation.item.create', item: { type: 'message', role: 'user', content: text } },
      { type: 'response.create', response: { input: text } },
      {
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text }] },
      },
      {
        type: 'conversation.item.create',
        item: { type: 'mcp_approval_response', approval_request_id: 'a', approve: false, reason: text },
      },
      {
        type: 'response.create',
        response: {
          instructions: text,
          input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
        },
      },
      { type: 'input_audio_buffer.append', audio: 'YWRhQGV4YW1wbGUuY29t' },
    ]
    for (const event of events) {
      talk.say(event)
      const heard = (await talk.until('heard')).event
      expect(heard).toEqual(JSON.parse(JSON.stringify(event).replaceAll('ada@example.com', '[email]')))
    }
    talk.socket.close()
    await house.settled()
    expect(guardsIn((await house.logs())[0] ?? { other: '' })).toEqual({ people: 10 })
  })

  test('that is blocked is refused by an event of its own, and the session goes on', async () => {
    await open((socket, event) => {
      if (event.type === 'response.create') say(socket, done)
    })
    const talk = house.talk()
    await talk.until('session.created')
    const content = [{ type: 'input_text', text: 'the Forbidden fruit' }]
    const item = { type: 'message', role: 'user', content }
    talk.say({ type: 'conversation.item.create', event_id: 'mine', item })
    const { error } = await talk.until('error')
    expect(error).toMatchObject({ code: 'guard_blocked', event_id: 'mine' })
    // A field that is there twice is read once by us, and must not be another one for the vendor.
    talk.socket.send(
      '{"type":"conversation.item.create","item":{"type":"message","role":"user","content":[{"type":"input_text","text":"forbidden","text":"allowed"}]}}',
    )
    talk.socket.send('no JSON at all')
    expect((await talk.until('error')).error).toMatchObject({ code: 'invalid_json' })
    talk.say({ type: 'response.create' })
    await talk.until('response.done')
    expect(upstream.heard.map(({ type }) => type)).toEqual(['conversation.item.create', 'response.create'])
    expect(JSON.stringify(upstream.heard)).not.toMatch(/forbidden/i)
    talk.socket.close()
    await house.settled()
    expect((await house.user()).used_quota).toBe(COST)
  })
})

describe('what the model writes', () => {
  const answer =
    (...pieces: string[]): Ear =>
    (socket, event) => {
      if (event.type !== 'response.create') return
      say(socket, { type: 'response.created', response: {} })
      const place = { item_id: 'i', output_index: 0, content_index: 0 }
      for (const delta of pieces) {
        say(socket, { type: 'response.output_audio_transcript.delta', ...place, delta })
        say(socket, { type: 'response.output_audio.delta', ...place, delta: 'AAAA' })
      }
      const transcript = pieces.join('')
      const content = [{ type: 'output_audio', transcript }]
      const item = { type: 'message', role: 'assistant', id: 'i', content }
      say(socket, { type: 'response.output_audio_transcript.done', ...place, transcript })
      say(socket, { type: 'response.output_item.done', item })
      say(socket, { ...done, response: { ...done.response, output: [item] } })
    }

  test('comes masked in every event that says it, in its order', async () => {
    await open(answer('Write to ad', 'a@exam', 'ple.com', ' now'))
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    const seen: string[] = []
    let said = ''
    for (let event = await talk.next(); event; event = await talk.next()) {
      seen.push(String(event.type))
      if (event.type === 'response.output_audio_transcript.delta') said += event.delta
      expect(JSON.stringify(event)).not.toMatch(/@|exam/)
      if (event.type === 'response.done') break
    }
    expect(said).toBe('Write to [email] now')
    expect(seen.filter(type => type.endsWith('audio.delta')).length).toBe(4)
    expect(seen.slice(-3)).toEqual([
      'response.output_audio_transcript.done',
      'response.output_item.done',
      'response.done',
    ])
    talk.socket.close()
    await house.settled()
    expect((await house.user()).used_quota).toBe(COST)
  })

  test('that is blocked ends the session, and what was produced is paid once', async () => {
    await open((socket, event) => {
      if (event.type === 'response.create')
        for (const delta of ['the for', 'bidden', ' fruit'])
          say(socket, { type: 'response.output_text.delta', item_id: 'i', content_index: 0, delta })
      if (event.type === 'response.cancel') say(socket, done)
    })
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    const told: string[] = []
    for (let event = await talk.next(); event; event = await talk.next()) told.push(JSON.stringify(event))
    expect(told.join('')).toContain('guard_blocked')
    expect(told.join('')).not.toMatch(/bidden|fruit"/)
    expect((await talk.closed).code).toBe(1008)
    await house.settled()
    expect((await house.user()).used_quota).toBe(COST)
    const [row] = await house.logs()
    expect(JSON.parse(row?.other ?? '')).toMatchObject({
      broke_off: 'guard',
      admin_info: { guards: { fruit: 1 } },
    })
  })

  test('what a person said is read where it is written down, and calls of tools too', async () => {
    await open((socket, event) => {
      if (event.type !== 'response.create') return
      const heard = 'conversation.item.input_audio_transcription'
      say(socket, { type: `${heard}.completed`, item_id: 'u', transcript: 'I am ada@example.com' })
      const call = { item_id: 'f', output_index: 0 }
      for (const delta of ['{"to":"ada@ex', 'ample.com","n":1}'])
        say(socket, { type: 'response.function_call_arguments.delta', ...call, delta })
      const args = '{"to":"ada@example.com","n":1}'
      say(socket, { type: 'response.function_call_arguments.done', ...call, arguments: args })
      say(socket, done)
    })
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    const { transcript } = await talk.until('conversation.item.input_audio_transcription.completed')
    expect(transcript).toBe('I am [email]')
    const { arguments: args } = await talk.until('response.function_call_arguments.done')
    expect(JSON.parse(String(args))).toEqual({ to: '[email]', n: 1 })
    talk.socket.close()
    await house.settled()
  })

  test('also across the border of two segments of what was heard', async () => {
    const phrase = { ...fruit, looks: { by: 'words', words: ['secret plan'] }, action: 'mask' }
    const heard = 'conversation.item.input_audio_transcription'
    await open(
      (socket, event) => {
        if (event.type !== 'response.create') return
        for (const text of ['It is a secret', 'plan.'])
          say(socket, { type: `${heard}.segment`, item_id: 'u', id: text.length, text })
        say(socket, { type: `${heard}.completed`, item_id: 'u', transcript: 'It is a secret plan.' })
        say(socket, done)
      },
      [phrase],
    )
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    const texts = []
    for (let at = 0; at < 2; at++) texts.push((await talk.until(`${heard}.segment`)).text)
    expect(texts).toEqual(['It is a [masked]', '.'])
    expect((await talk.until(`${heard}.completed`)).transcript).toBe('It is a [masked].')
    talk.socket.close()
    await house.settled()
  })

  test('and was cut off in the middle of it stays back', async () => {
    await open((socket, event) => {
      if (event.type !== 'response.create') return
      for (const delta of ['Write to ', 'ada@exam'])
        say(socket, { type: 'response.output_text.delta', item_id: 'i', content_index: 0, delta })
      socket.terminate()
    })
    const talk = house.talk()
    await talk.until('session.created')
    talk.say({ type: 'response.create' })
    const written: unknown[] = []
    for (let event = await talk.next(); event; event = await talk.next())
      if (event.type === 'response.output_text.delta') written.push(event.delta)
      else expect(event.type).toBe('error')
    expect(written.join('')).toBe('Write to ')
    await house.settled()
  })
})

test('a rule that asks others lets sessions go on unasked, or refuses them, by its own choice', async () => {
  const allowing = { ...rule, name: 'own', looks: { ...webhook, otherwise: 'allow' }, action: 'block' }
  await open((socket, event) => say(socket, { type: 'heard', event }), [allowing])
  const talk = house.talk()
  await talk.until('session.created')
  talk.say({ type: 'response.create' })
  await talk.until('heard')
  talk.socket.close()
  await house.settled()
  await house.close()
  upstream.stop()

  const blocking = { ...allowing, looks: { ...webhook, otherwise: 'block' } }
  await open(() => {}, [blocking])
  const { status, body } = await house.ask(socketHeaders)
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('own')])
  expect(upstream.requests).toEqual([])
})
