import { mkdtempSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, parseObject } from '../../dialects/json.ts'
import { credit } from '../../ledger/entries.ts'
import { FileJournal } from '../../ledger/journal.ts'
import { Ledger } from '../../ledger/ledger.ts'
import { LedgerNode } from '../../ledger/node.ts'
import { nodeStore } from '../../ledger/node-store.ts'
import { createOutbound } from '../../outbound/client.ts'
import { openStore } from '../../store/index.ts'
import { channelKeyPlace } from '../../store/sealed-places.ts'
import { tokenHash } from '../callers.ts'
import { openRelay } from '../open-relay.ts'
import { endRealtime, type RealtimeSession } from './realtime-session.ts'
import { realtimeSocket } from './realtime-socket.ts'
import { openSocket } from './upstream-socket.ts'

export const MODEL = 'gpt-realtime'
const now = (): number => 1_800_000_000

export type House = Awaited<ReturnType<typeof openHouse>>

/** A gateway of its own for tests: a real store and ledger, one user with a token, and a server on loopback. */
export async function openHouse(quota: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-realtime-'))
  const secretKey = 'a-test-key-that-is-long-and-varied-0123456789'
  const databaseFile = join(dataDir, 'house.db')
  const store = await openStore({ engine: 'sqlite', target: databaseFile, secretKey })
  const node = new LedgerNode(nodeStore(store.db), now, { clock: () => 0, deadAfterMs: 1000 })
  await node.register()
  const journal = new FileJournal(join(dataDir, 'moves.jsonl'))
  const ledger = new Ledger({ batch: store.batch, journal, now, nodeId: () => node.id })
  const key = crypto.randomUUID().replaceAll('-', '')
  await store.db
    .insertInto('users')
    .values({
      username: 'talker',
      password_hash: 'x',
      display_name: 'talker',
      role: 1,
      status: 1,
      quota: 0,
      used_quota: 0,
      request_count: 0,
      group: 'default',
      aff_count: 0,
      aff_quota: 0,
      aff_history_quota: 0,
      inviter_id: 0,
      created_at: 1,
    })
    .execute()
  const { id: userId } = await store.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  await credit(store, now(), { kind: 'gift', ref: 'start', userId, amount: quota })
  await store.db
    .insertInto('tokens')
    .values({
      user_id: userId,
      name: 'token',
      key_hash: tokenHash(store, key),
      key_sealed: '',
      status: 1,
      created_time: 1,
      accessed_time: 0,
      expired_time: -1,
      remain_quota: 0,
      used_quota: 0,
      unlimited_quota: 1,
      model_limits_enabled: 0,
      model_limits: '',
      group: '',
    })
    .execute()
  const relay = await openRelay({ store, ledger, outbound: createOutbound(), now, nodeName: () => 'node' })
  const { parts } = relay
  const server = Bun.serve<RealtimeSession>({
    port: 0,
    hostname: '127.0.0.1',
    websocket: realtimeSocket,
    fetch: (request, peer) =>
      relay.handle({
        request,
        path: '/v1/realtime',
        requestId: Bun.randomUUIDv7('hex'),
        address: '127.0.0.1',
        language: 'en',
        keepOpen: () => peer.timeout(request, 0),
        letRest: () => {},
        upgrade: (session, headers) => peer.upgrade(request, { data: session as RealtimeSession, headers }),
      }),
  })
  const url = `127.0.0.1:${server.port}/v1/realtime`

  return {
    parts,
    key,
    url,
    databaseFile,
    async addChannel(baseUrl: string, more: { priority?: number; model_mapping?: string } = {}) {
      const { id } = await store.db
        .insertInto('channels')
        .values({
          type: 1,
          name: 'upstream',
          status: 1,
          key_hash: '',
          key_sealed: '',
          base_url: baseUrl,
          other: '',
          models: MODEL,
          group: 'default',
          priority: 0,
          weight: 0,
          auto_ban: 0,
          other_info: '',
          response_time: 0,
          test_time: 0,
          balance: 0,
          balance_updated_time: 0,
          used_quota: 0,
          created_time: 1,
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

function askPlainly(
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
