import { afterAll, expect, test } from 'bun:test'
import { sampleRow } from '../../../test/console/sample-log-row.ts'
import { type FollowState, followLogs } from './follow-logs.ts'

const asked: string[] = []
const event = (id: number) => `id: ${id}\ndata: ${JSON.stringify(sampleRow({ id, content: '计费' }))}\n\n`
const answers: (() => Response)[] = [
  () => new Response(`retry: 2000\n\n: still here\n\n${event(7)}data: {\n\ndata: null\n\n${event(8)}`),
  () => new Response('down', { status: 502 }),
  () => new Response('too many', { status: 429 }),
  () => new Response(split(event(9))),
]
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    asked.push(new URL(request.url).search)
    return answers.shift()?.() ?? new Response(new ReadableStream())
  },
})
afterAll(() => server.stop(true))

/** A byte at a time: characters and lines come in pieces. */
function split(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
}

test('rows are heard across lost connections, from the last one that was heard', async () => {
  const leaving = new AbortController()
  const heard: number[] = []
  const states: FollowState[] = []
  await followLogs({
    path: `${server.url}tail`,
    after: () => heard.at(-1) ?? 3,
    onRow: ({ id, content }) => {
      expect(content).toBe('计费')
      heard.push(id)
      if (id === 9) leaving.abort()
    },
    onState: state => states.push(state),
    signal: leaving.signal,
    firstWait: 1,
  })
  expect(heard).toEqual([7, 8, 9])
  expect(asked).toEqual(['?after_id=3', '?after_id=8', '?after_id=8', '?after_id=8'])
  expect(states).toEqual([
    'connecting',
    'open',
    'connecting',
    'lost',
    'connecting',
    'refused',
    'connecting',
    'open',
  ])
})
