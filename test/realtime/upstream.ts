import { type JsonObject, parseObject } from '../../server/dialects/json.ts'
import { MODEL } from './house.ts'

export const USAGE = {
  total_tokens: 253,
  input_tokens: 132,
  output_tokens: 121,
  input_token_details: {
    text_tokens: 119,
    audio_tokens: 13,
    cached_tokens: 64,
    cached_tokens_details: { text_tokens: 60, audio_tokens: 4 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
}
/** 59 × 2 + 64 × 0.2 + 9 × 16 + 30 × 8 + 91 × 32 = 3426.8 */
export const COST = 3427

export type Ear = (socket: Bun.ServerWebSocket<unknown>, event: JsonObject) => void
export const say = (socket: Bun.ServerWebSocket<unknown>, event: JsonObject) =>
  socket.send(JSON.stringify(event))
export const done = { type: 'response.done', response: { status: 'completed', usage: USAGE } }

/** Answers every `response.create` in full. */
export const answerWhole: Ear = (socket, event) => {
  if (event.type !== 'response.create') return
  say(socket, { type: 'response.created', response: {} })
  say(socket, { type: 'response.output_text.delta', delta: 'Hello' })
  say(socket, done)
  say(socket, { type: 'rate_limits.updated', rate_limits: [] })
}

/** Why it refuses; the words are for whoever can read them. */
export const NO = {
  error: { message: 'key sk-upstream-key at 127.0.0.1 may not talk', code: 'no_talk', type: 'no' },
}

/** A status, or no answer at all. */
export type Refusal = number | 'silence'

/** The upstream of a realtime session. */
export function startLoopback(hear: Ear = answerWhole, refusal?: Refusal) {
  const heard: JsonObject[] = []
  const requests: Request[] = []
  const closes: number[] = []
  const server = Bun.serve({
    idleTimeout: 0,
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, peer) {
      requests.push(request.clone())
      if (refusal === 'silence') return new Promise<Response>(() => {})
      if (refusal !== undefined) return Response.json(NO, { status: refusal })
      return peer.upgrade(request) ? undefined : new Response('no socket', { status: 400 })
    },
    websocket: {
      backpressureLimit: 0,
      open: socket => void say(socket, { type: 'session.created', session: { model: MODEL } }),
      message(socket, frame) {
        if (typeof frame !== 'string') return void socket.send(frame)
        const event = parseObject(frame) ?? {}
        heard.push(event)
        hear(socket, event)
      },
      close: (_socket, code) => void closes.push(code),
    },
  })
  const stop = () => server.stop(true)
  return { url: `http://127.0.0.1:${server.port}`, heard, requests, closes, stop }
}
