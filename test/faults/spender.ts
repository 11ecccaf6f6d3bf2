/**
 * The life of a relayed request around the real ledger, in a process that can be killed: hold, ask the
 * provider, forward, checkpoint, settle. Nothing reaches the client before the hold is acknowledged; the last
 * line waits for the settlement. One token costs one quota.
 */
import { readEnv } from '../../server/env.ts'
import { AppError } from '../../server/errors.ts'
import { keepLedger } from '../../server/jobs/keep-ledger.ts'
import type { LogRow, OfRequest } from '../../server/ledger/moves.ts'
import { configureLog, log } from '../../server/log.ts'
import { openStore } from '../../server/store/index.ts'
import type { Call } from './load.ts'
import { END, TOKEN } from './upstream.ts'

const CHECKPOINT_EVERY = 6
const TIMES = { beatMs: 300, reapMs: 300, deadAfterMs: 1500 }

const env = readEnv()
configureLog({ level: env.logLevel })
const upstream = process.env.FAULTS_UPSTREAM ?? ''
let unhandled = 0
process.on('unhandledRejection', error => {
  unhandled++
  log.error('an error nobody was waiting for', { error })
})

const now = (): number => Math.floor(Date.now() / 1000)
const store = await openStore({ ...env.database, secretKey: env.secretKey ?? '' })
const { ledger } = await keepLedger(store, env.dataDir, now, TIMES)

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    if (request.method === 'GET') return Response.json({ unhandled })
    try {
      return await answer((await request.json()) as Call, request.signal)
    } catch (error) {
      if (error instanceof AppError) return new Response(error.code, { status: error.status })
      log.error('a call failed', { error })
      return new Response('internal', { status: 500 })
    }
  },
})
process.stdout.write(`spending on ${server.url.href}\n`)

async function answer(call: Call, gone: AbortSignal): Promise<Response> {
  const request: OfRequest = { id: call.id, userId: call.userId, tokenId: call.tokenId }
  const cut = new AbortController()
  gone.addEventListener('abort', () => cut.abort())
  const asked = firstTokens(call, cut.signal)
  asked.catch(() => {})
  let held: number
  try {
    const { most, least = 1 } = call
    held = await ledger.hold(request, {
      most,
      least,
      price: JSON.stringify({ model: 'm', group: 'default' }),
    })
  } catch (error) {
    cut.abort()
    throw error
  }
  const opened = await asked.catch(() => undefined)
  if (!opened) {
    await ledger.release(request)
    return new Response('upstream', { status: 502 })
  }
  return new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        forward({ ...request, held }, opened, line => sendLine(controller, line))
          .catch(error => {
            log.warn('a stream ends without its settlement', { request: request.id, error })
            sendLine(controller, { error: error instanceof AppError ? error.code : 'internal' })
          })
          .finally(() => {
            try {
              controller.close()
            } catch {
              // The client has left.
            }
          })
      },
      cancel: () => cut.abort(),
    }),
  )
}

interface Opened {
  readonly first: string
  rest(): AsyncGenerator<string>
}

/** Answers when the provider's first tokens are here; from then on nothing is tried again. */
async function firstTokens(call: Call, signal: AbortSignal): Promise<Opened> {
  const { id, tokens, atATime, pauseMs, failsAfter } = call
  const body = JSON.stringify({ id, tokens, atATime, pauseMs, failsAfter })
  const response = await fetch(upstream, { method: 'POST', body, signal })
  const reader = response.ok ? response.body?.getReader() : undefined
  const first = await reader?.read()
  if (!reader || !first?.value) throw new Error('nothing came')
  return {
    first: decode(first.value),
    async *rest() {
      for (let next = await reader.read(); next.value; next = await reader.read()) yield decode(next.value)
    },
  }
}

type Send = (line: object) => void

async function forward(
  { held, ...request }: OfRequest & { held: number },
  opened: Opened,
  send: Send,
): Promise<void> {
  let used = 0
  let marked = 0
  let marking = false
  let whole = false
  const pass = (text: string): void => {
    const tokens = text.split(TOKEN).length - 1
    whole = text.endsWith(END)
    used += tokens
    send({ tokens })
    if (marking || used - marked < CHECKPOINT_EVERY) return
    marking = true
    const mark = used
    ledger
      .checkpoint(request, mark)
      .then(kept => kept && send({ checkpoint: Math.min(mark, held) }))
      .catch(error => log.warn('a checkpoint failed', { error }))
      .finally(() => {
        marked = mark
        marking = false
      })
  }
  try {
    pass(opened.first)
    for await (const text of opened.rest()) pass(text)
  } catch {
    // The client left or the provider's connection broke: what was produced is charged.
  }
  const charge = await ledger.settle(request, used, logRow(request, used))
  send(whole ? { done: true, charge } : { error: 'interrupted' })
}

function sendLine(controller: ReadableStreamDefaultController<Uint8Array>, line: object): void {
  try {
    controller.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`))
  } catch {
    // The client has left.
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function logRow({ id, userId, tokenId }: OfRequest, tokens: number): LogRow {
  return {
    created_at: now(),
    type: 2,
    user_id: userId,
    username: '',
    token_id: tokenId,
    token_name: '',
    model_name: 'm',
    channel_id: 0,
    group: 'default',
    is_stream: 1,
    use_time: 0,
    prompt_tokens: 0,
    completion_tokens: tokens,
    request_id: id,
    content: '',
    other: '',
  }
}
