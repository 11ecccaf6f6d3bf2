import { mkdtempSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, parseObject } from '../../server/dialects/json.ts'
import { credit } from '../../server/ledger/entries.ts'
import { FileJournal } from '../../server/ledger/journal.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import { LedgerNode } from '../../server/ledger/node.ts'
import { nodeStore } from '../../server/ledger/node-store.ts'
import { createOutbound } from '../../server/outbound/client.ts'
import { clientSocket, type SocketSession } from '../../server/relay/client-socket.ts'
import { openRelay } from '../../server/relay/open-relay.ts'
import { endRealtime } from '../../server/relay/realtime/realtime-session.ts'
import { openSocket } from '../../server/relay/upstream/open-socket.ts'
import { newUser } from '../../server/services/setup.ts'
import { tokenHash } from '../../server/store/given-key.ts'
import { channelKeyPlace } from '../../server/store/sealed-places.ts'
import { plainChannel } from '../relay/sample-channels.ts'
import { openSampleStore, sampleToken } from '../sample-store.ts'

export const MODEL = 'gpt-realtime'
const now = (): number => 1_800_000_000

export type House = Awaited<ReturnType<typeof openHouse>>

/** A gateway of its own for tests: a real store and ledger, one user with a token, and a server on loopback. */
export async function openHouse(quota: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-realtime-'))
  const databaseFile = join(dataDir, 'house.db')
  const store = await openSampleStore(`sqlite:${databaseFile}`)
  const node = new LedgerNode(nodeStore(store.db), now, { clock: () => 0, deadAfterMs: 1000 })
  await node.register()
  const journal = new FileJournal(join(dataDir, 'moves.jsonl'))
  const ledger = new Ledger({ batch: store.batch, journal, now, nodeId: () => node.id })
  const key = crypto.randomUUID().replaceAll('-', '')
  await store.db
    .insertInto('users')
    .values(newUser('talker', 'x', 1))
    .execute()
  const { id: userId } = await store.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  await credit(store, now(), { kind: 'gift', ref: 'start', userId, amount: quota })
  const token = { user_id: userId, key_hash: tokenHash(store, key), unlimited_quota: 1 }
  await store.db.insertInto('tokens').values(sampleToken(token)).execute()
  const relay = await openRelay({ store, ledger, outbound: createOutbound(), now, nodeName: () => 'node' })
  const { parts } = relay
  const server = Bun.serve<SocketSession>({
    port: 0,
    hostname: '127.0.0.1',
    websocket: clientSocket,
    fetch: (request, peer) =>
      relay.handle({
        request,
        path: '/v1/realtime',
        requestId: Bun.randomUUIDv7('hex'),
        address: '127.0.0.1',
        language: 'en',
        hold: () => {},
        keepOpen: () => peer.timeout(request, 0),
        letRest: () => {},
        upgrade: (session, headers) => peer.upgrade(request, { data: session as SocketSession, headers }),
      }),
  })
  const url = `127.0.0.1:${server.port}/v1/realtime`

  return {
    parts,
    key,
    url,
    databaseFile,
    async addChannel(
      baseUrl: string,
      more: { priority?: number; model_mapping?: string; group?: string; setting?: string } = {},
    ) {
      const { id } = await store.db
        .insertInto('channels')
        .values({
          ...plainChannel,
          name: 'upstream',
          base_url: baseUrl,
          models: MODEL,
          auto_ban: 0,
          ...more,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const key_sealed = store.cipher.seal(channelKeyPlace(id), 'sk-upstream-key')
      await store.db.updateTable('channels').set({ key_sealed }).where('id', '=', id).execute()
      await parts.channels.refresh()
    },
    async set(key: string, value: string) {
      await store.db.insertInto('options').values({ key, value, updated_at: 1 }).execute()
      await store.settings.refresh()
    },
    talk: (options: Bun.WebSocketOptions = {}) =>
      new Talk(
        openSocket(`ws://${url}?model=${MODEL}`, {
          headers: { authorization: `Bearer sk-${key}` },
          ...options,
        }),
      ),
    /** The answer to a request that does not become a socket. */
    ask: (headers: Record<string, string>, query = `?model=${MODEL}`) =>
      askPlainly(`http://${url}${query}`, { authorization: `Bearer sk-${key}`, ...headers }),
    user: () =>
      store.db.selectFrom('users').select(['quota', 'used_quota', 'request_count']).executeTakeFirstOrThrow(),
    holds: () => store.db.selectFrom('holds').select(['state', 'checkpoint', 'charge']).execute(),
    logs: () => store.db.selectFrom('logs').selectAll().execute(),
    /** Resolves when no session is left. */
    async settled() {
      while (parts.live.size > 0) await Bun.sleep(5)
    },
    async close() {
      await endRealtime()
      await server.stop(true)
      parts.counter.stop()
      await journal.close()
      await store.close()
    },
  }
}

export const socketHeaders = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

export function askPlainly(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: JsonObject }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: JsonObject }>()
  httpRequest(url, { headers }, response => {
    let text = ''
    response.on('data', piece => {
      text += piece
    })
    response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parseObject(text) ?? {} }))
  })
    .on('error', reject)
    .end()
  return promise
}

/** A client's end, read one event after the other. */
export class Talk {
  readonly socket: Bun.WebSocket
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #events: JsonObject[] = []
  #wake: (() => void) | undefined

  constructor(socket: Bun.WebSocket) {
    this.socket = socket
    socket.addEventListener('message', ({ data }) => {
      this.#events.push(parseObject(String(data)) ?? { raw: String(data) })
      this.#wake?.()
    })
    this.closed = new Promise(resolve => {
      socket.addEventListener('close', ({ code, reason }) => {
        resolve({ code, reason })
        this.#wake?.()
      })
    })
  }

  say(event: JsonObject): void {
    this.socket.send(JSON.stringify(event))
  }

  /** The next event; undefined when the socket is closed and all was read. */
  async next(): Promise<JsonObject | undefined> {
    while (this.#events.length === 0 && this.socket.readyState !== 3)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    return this.#events.shift()
  }

  /** Reads up to the first event of a type. */
  async until(type: string): Promise<JsonObject> {
    for (let event = await this.next(); event; event = await this.next())
      if (event.type === type) return event
    throw new Error(`the socket was closed before ${type}`)
  }
}
