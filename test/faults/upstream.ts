import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A model provider on loopback, in OpenAI's dialect, that keeps its own record of what it served. */
export interface Upstream {
  /** The same provider under two addresses, for two channels. */
  readonly urls: readonly [string, string]
  /** By the call's own id. */
  readonly record: ReadonlyMap<string, Served>
  /** How many requests are under way. */
  readonly live: number
  /** Stops producing until `open` is called; streams stay connected, and each brings its first tokens. */
  close(): void
  open(): void
  stop(): void
}

/** What one call got, by the provider's own count. */
export interface Served {
  asked: number
  tokens: number
  whole: boolean
}

/** What a call asks of the provider. It travels in the user's message, so that nothing in between knows it. */
export interface Wanted {
  readonly id: string
  readonly tokens: number
  readonly atATime?: number
  readonly pauseMs?: number
  /** Fails: before the first token (0) or after so many. */
  readonly failsAfter?: number
  /** How it fails: with a status or a cleanly ended stream, or by breaking the connection. */
  readonly abrupt?: boolean
  /** Fails the first time it is asked, whoever asks. */
  readonly failsFirst?: boolean
  /** Bytes that each frame carries beside its text. */
  readonly padding?: number
}

/** One token in the encoding the gateway counts by, also when many stand in a row. */
export const TOKEN = ' the'
/** What it says the prompt was. */
export const PROMPT_TOKENS = 7

interface Asked {
  readonly stream?: boolean
  readonly max_tokens?: number
  readonly messages: readonly { readonly content: string }[]
}

export async function startUpstream(): Promise<Upstream> {
  const record = new Map<string, Served>()
  let live = 0
  let gate: PromiseWithResolvers<void> | undefined

  async function stream(wanted: Wanted, served: Served, response: ServerResponse): Promise<void> {
    const { tokens, atATime = 2, pauseMs = 15, failsAfter = Number.POSITIVE_INFINITY } = wanted
    const beside = wanted.padding ? `,"obfuscation":"${'x'.repeat(wanted.padding)}"` : ''
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let made = 0; made < tokens; ) {
      if (made > 0 && pauseMs > 0) await Bun.sleep(pauseMs)
      if (made > 0) await gate?.promise
      if (response.destroyed) return
      const next = Math.min(atATime, tokens - made)
      if (made + next > failsAfter) return end(response, wanted)
      made += next
      served.tokens = made
      response.write(
        frame(`{"index":0,"delta":{"content":"${TOKEN.repeat(next)}"},"finish_reason":null}`, beside),
      )
    }
    served.whole = true
    response.write(frame('{"index":0,"delta":{},"finish_reason":"stop"}'))
    response.end(`${frame('', `,"usage":${usageOf(tokens)}`)}data: [DONE]\n\n`)
  }

  async function answerPlain(wanted: Wanted, served: Served, response: ServerResponse): Promise<void> {
    await Bun.sleep((wanted.pauseMs ?? 15) * Math.min(wanted.tokens, 10))
    served.tokens = wanted.tokens
    served.whole = true
    const message = `{"role":"assistant","content":"${TOKEN.repeat(wanted.tokens)}"}`
    sendJson(
      response,
      200,
      `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"message":${message},"finish_reason":"stop"}],"usage":${usageOf(wanted.tokens)}}`,
    )
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { stream: isStream, max_tokens = Number.POSITIVE_INFINITY, messages } = await readAsked(request)
    const asked = JSON.parse(messages[0]?.content ?? '') as Wanted
    const wanted = { ...asked, tokens: Math.min(asked.tokens, max_tokens) }
    const served = record.get(wanted.id) ?? { asked: 0, tokens: 0, whole: false }
    record.set(wanted.id, served)
    served.asked++
    if (wanted.failsAfter === 0 || (wanted.failsFirst && served.asked === 1)) {
      if (wanted.abrupt) response.destroy()
      else sendJson(response, 500, '{"error":{"message":"overloaded","type":"server_error"}}')
    } else if (isStream) await stream(wanted, served, response)
    else await answerPlain(wanted, served, response)
  }

  const server = createServer((request, response) => {
    live++
    response.on('close', () => live--)
    // Who asks may be killed in the middle of its question.
    answer(request, response).catch(() => response.destroy())
  })
  // Else it would close what has rested for some seconds, perhaps while the next request is on its way in.
  server.keepAliveTimeout = 0
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

  return {
    urls: [`${url}/one`, `${url}/two`],
    record,
    get live() {
      return live
    },
    close() {
      gate ??= Promise.withResolvers()
    },
    open() {
      gate?.resolve()
      gate = undefined
    },
    stop() {
      gate?.resolve()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The answer stops here. */
function end(response: ServerResponse, { abrupt }: Wanted): void {
  if (abrupt) response.destroy()
  else response.end()
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Asked
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(text)
}

function frame(choice: string, beside = ''): string {
  return `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[${choice}]${beside}}\n\n`
}

function usageOf(tokens: number): string {
  return `{"prompt_tokens":${PROMPT_TOKENS},"completion_tokens":${tokens},"total_tokens":${tokens + PROMPT_TOKENS}}`
}
