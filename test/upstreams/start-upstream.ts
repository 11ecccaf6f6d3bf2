import { checkWire, forbidStrings } from './check-wire.ts'
import { deliverBody, deliverFrames, stall } from './deliver.ts'
import { type Exchange, listen, type WireRequest } from './http.ts'
import type { Answer, Script } from './script.ts'
import { Signatures } from './signatures.ts'
import { NO_TALLY } from './tally.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type Route,
  readSeen,
  type SeenRequest,
  type Served,
  type UpstreamOptions,
  type Vendor,
} from './upstream.ts'
import { talkSocket } from './websocket.ts'

const encoder = new TextEncoder()

/** No two vendors give the same: what one has made is known by it. */
let ids = 0

export async function startUpstream(vendor: Vendor, options: UpstreamOptions): Promise<FakeUpstream> {
  const requests: SeenRequest[] = []
  const complaints: string[] = []
  const served: Served[] = []
  const queue: Script[] = []
  const signatures = options.signatures ?? new Signatures()
  let standing: Script = {}

  const server = await listen(async (wire, exchange) => {
    const seen = await readSeen(wire)
    requests.push(seen)
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const one = { path: seen.path, status: 0, tally: NO_TALLY, aborted: false, bytes: 0, frames: 0, done }
    served.push(one)
    await answerOne(wire, seen, exchange, one)
    one.bytes = exchange.sent
    one.aborted = exchange.aborted
    resolve()
  })
  const url = `http://127.0.0.1:${server.port}`
  const { key } = vendor

  async function answerOne(wire: WireRequest, seen: SeenRequest, exchange: Exchange, one: Served) {
    try {
      const found = findRoute(wire, seen)
      const script = queue.shift() ?? standing
      const answer = typeof script === 'function' ? await script(seen, { url, key }) : script
      if (answer.waitMs !== undefined)
        await Promise.race([Bun.sleep(answer.waitMs), exchange.connection.left])
      if (answer.silent) await stall(exchange)
      else if (answer.hangsUp) await exchange.cut(answer.reset)
      else if (answer.status !== undefined || answer.body !== undefined)
        await sendFixed(exchange, answer, one)
      else if (found.route === undefined) await talkSocket(vendor, found.call, exchange, answer, one)
      else await send(exchange, await found.route.answer(found.call, answer), answer, one)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      complaints.push(`${seen.method} ${seen.path}: ${error.message}`)
      await sendFixed(exchange, error.fixed, one)
    }
  }

  function findRoute(wire: WireRequest, seen: SeenRequest): { route: Route | undefined; call: Call } {
    forbidStrings(vendor, options.forbid ?? [], wire)
    const sent = Object.values(seen.headers)
    const other = options.moreKeys?.find(one => sent.some(value => value.includes(one)))
    const asked = other === undefined ? vendor : { ...vendor, key: other }
    const { route, params } = checkWire(asked, seen, new URL(url).host)
    const body = typeof seen.json === 'object' && !Array.isArray(seen.json) ? (seen.json ?? {}) : {}
    const call: Call = {
      seen,
      body,
      params,
      options,
      signatures,
      newId: (prefix, digits) => prefix + String(++ids).padStart(digits, '0'),
    }
    route?.check?.(call)
    return { route, call }
  }

  return {
    url,
    key,
    requests,
    complaints,
    served,
    next: script => void queue.push(script),
    always(script) {
      standing = script
    },
    failWith: (kind, message) => vendor.fail(kind, message),
    failTellingSecrets: kind => seen => vendor.fail(kind, `${url}${seen.path} refused the key ${key}`),
    stop: () => server.stop(),
  }
}

async function sendFixed(exchange: Exchange, answer: Answer, one: Served): Promise<void> {
  const { status = 200, body = '' } = answer
  one.status = status
  const json = { 'Content-Type': 'application/json' }
  const bytes =
    body instanceof Uint8Array ? body : encoder.encode(typeof body === 'string' ? body : JSON.stringify(body))
  await deliverBody(exchange, status, { ...json, ...answer.headers }, bytes, answer)
}

async function send(exchange: Exchange, rendered: Rendered, answer: Answer, one: Served): Promise<void> {
  one.status = 200
  one.tally = rendered.tally
  const headers = { 'Content-Type': rendered.contentType, ...rendered.headers, ...answer.headers }
  if (rendered.frames !== undefined) return deliverFrames(exchange, headers, rendered, answer, one)
  const body = rendered.body ?? ''
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  await deliverBody(exchange, 200, headers, bytes, answer)
}
