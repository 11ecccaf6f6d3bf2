import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FakeUpstream, startOpenai } from './index.ts'

let fake: FakeUpstream
beforeAll(async () => {
  fake = await startOpenai()
})
afterAll(() => fake.stop())

function ask(stream: boolean, signal?: AbortSignal): Promise<Response> {
  return fetch(`${fake.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fake.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'one two' }], stream }),
    ...(signal === undefined ? {} : { signal }),
  })
}

test('one connection carries many answers', async () => {
  for (let at = 0; at < 50; at++) expect((await (await ask(at % 2 === 0)).text()).length).toBeGreaterThan(0)
})

test('a held stream goes on when let go', async () => {
  const gate = Promise.withResolvers<void>()
  fake.next({ hold: { afterFrames: 1, until: gate.promise }, gapMs: 1, waitMs: 1 })
  const reader = (await ask(true)).body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  expect(first).not.toContain('[DONE]')
  expect(fake.served.at(-1)?.frames).toBe(1)
  gate.resolve()
  let rest = ''
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
    rest += new TextDecoder().decode(next.value)
  expect(rest).toEndWith('data: [DONE]\n\n')
})

test('a stalled stream stays open until the client leaves', async () => {
  const leave = new AbortController()
  fake.next({ stallAfterFrames: 2 })
  const response = await ask(true, leave.signal)
  await response.body?.getReader().read()
  leave.abort()
  await fake.served.at(-1)?.done
  expect(fake.served.at(-1)).toMatchObject({ frames: 2, aborted: true })
})

test('plain answers: zipped, cut short, reset, with other headers', async () => {
  fake.next({ gzip: true })
  expect(await (await ask(false)).json()).toMatchObject({ object: 'chat.completion' })
  for (const script of [{ cutAfterBytes: 10 }, { cutAfterBytes: 10, reset: true as const }]) {
    fake.next(script)
    const outcome = await ask(false)
      .then(
        response => response.text(),
        () => 'broke',
      )
      .catch(() => 'broke')
    expect(outcome).toBe('broke')
  }
  fake.next({ headers: { 'x-request-id': 'req_7' } })
  expect((await ask(false)).headers.get('x-request-id')).toBe('req_7')
})

test('frames can be edited', async () => {
  fake.next({ frames: frames => frames.slice(0, -1) })
  expect(await (await ask(true)).text()).not.toContain('[DONE]')
})

test('scripts: one each, then the standing one; functions see the request', async () => {
  fake.always({ status: 418, body: 'tea' })
  fake.next(seen => ({ status: 200, body: `${seen.method} ${seen.path}` }))
  expect(await (await ask(false)).text()).toBe('POST /v1/chat/completions')
  expect((await ask(false)).status).toBe(418)
  fake.always({})
  expect((await ask(false)).status).toBe(200)
})
