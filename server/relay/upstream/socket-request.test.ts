import { afterAll, expect, test } from 'bun:test'
import { sampleChannel } from '../../../test/relay/sample-channels.ts'
import type { StreamReader } from '../../dialects/dialect.ts'
import { asText, parseObject } from '../../dialects/json.ts'
import { createOutbound } from '../../outbound/client.ts'
import { AnswerStream } from '../../providers/kit/answers/answer-stream.ts'
import { jsonSequence } from '../../providers/kit/answers/ndjson.ts'
import { gatherAnswer } from '../chat/gather-answer.ts'
import { askBySocket } from './socket-request.ts'
import { UpstreamFailure } from './upstream-failure.ts'

/** Says every word of the question in a message of its own, then hangs up. */
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request, self): Response | undefined {
    if (new URL(request.url).search !== '?sign=1') return new Response('no', { status: 403 })
    return self.upgrade(request) ? undefined : new Response('no', { status: 400 })
  },
  websocket: {
    message(socket, text) {
      const { words, cut } = JSON.parse(String(text))
      for (const word of words) socket.send(JSON.stringify({ word }, null, 2))
      if (!cut) socket.send('{"end":true}')
      socket.close()
    },
  },
})
afterAll(() => server.stop(true))

function wordReader(): StreamReader {
  const answer = new AnswerStream()
  return {
    read(_event, data, emit) {
      const said = parseObject(data)
      answer.text(emit, asText(said?.word))
      if (said?.end) answer.finish(emit, { reason: 'stop' })
    },
    end: emit => answer.end(emit),
  }
}

const parts = { outbound: createOutbound(), settings: { get: (): never => neverAsked() } }

/** Settings matter behind a proxy only. */
function neverAsked(): never {
  throw new Error('no setting is needed')
}
const attempt = { channel: sampleChannel(), model: 'm', key: 'k' }

function ask(body: object, query = '?sign=1', signal = new AbortController().signal) {
  const url = `http://127.0.0.1:${server.port}/chat${query}`
  return askBySocket(parts, { url, headers: {}, body: JSON.stringify(body) }, attempt, signal)
}

test('messages of a socket are the frames of an answer', async () => {
  const { answer } = await gatherAnswer(await ask({ words: ['Hi ', '漢字\n'] }), wordReader(), jsonSequence)
  expect(answer?.parts).toEqual([{ type: 'text', text: 'Hi 漢字\n' }])
})

test('a socket that hangs up early has given no answer', async () => {
  const { answer } = await gatherAnswer(await ask({ words: ['Hi'], cut: true }), wordReader(), jsonSequence)
  expect(answer).toBeUndefined()
})

test('a refused handshake tells its status', async () => {
  const failure = await ask({ words: [] }, '').catch(error => error)
  expect(failure).toBeInstanceOf(UpstreamFailure)
  expect(failure.problem.status).toBe(403)
})
