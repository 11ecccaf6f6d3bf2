import { keepLedger, type LedgerTimes } from '../../server/jobs/keep-ledger.ts'
import { createOutbound, type Outbound } from '../../server/outbound/client.ts'
import { jobStates } from '../../server/relay/background/job-rows.ts'
import { pollJobs } from '../../server/relay/background/poll-jobs.ts'
import { openRelay } from '../../server/relay/open-relay.ts'
import type { RelayParts } from '../../server/relay/parts.ts'
import type { Store } from '../../server/store/index.ts'
import { unfinished } from '../../server/tasks/batches/batch-rows.ts'
import { pollBatches } from '../../server/tasks/batches/poll-batches.ts'
import { batchHosts, taskProviders } from '../../server/tasks/index.ts'
import { POLL_SECONDS, pollTasks } from '../../server/tasks/poll.ts'
import { runStates } from '../../server/tasks/runs.ts'
import type { AnyJson } from '../any-json.ts'
import { type Client, rootClient } from '../client.ts'
import { morePatience } from '../more-patience.ts'
import { freshDataDir, until } from '../program.ts'
import { openRig, type Rig, type SeededToken } from '../relay/rig.ts'

export interface Payer extends SeededToken {
  readonly userId: number
}

/** The running program, someone who pays, and a node of the test's own whose clock it holds. */
export interface TaskHouse extends Rig {
  readonly payer: Payer
  /** Another user with plenty. */
  readonly stranger: Payer
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>
  /** Quota that has left the payer's wallet since this was asked last. */
  spent(): Promise<number>
  /** Asks after everything, as one other node or several at once would, `later` seconds from now. */
  poll(later?: number, atOnce?: number): Promise<void>
  /** What one other node does, `seconds` from now. */
  later<Done>(seconds: number, act: (parts: RelayParts) => Promise<Done>): Promise<Done>
  refunds(id: string): Promise<string[]>
  /** What the test's own node has tried to tell owners of tasks. */
  readonly told: { readonly url: string; readonly body: string }[]
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: AnyJson
  readonly requestId: string
}

/**
 * For a program that asks after nothing by itself: what an upstream is asked is what the test has it asked, however long
 * the test takes.
 */
export const looksWhenTold = morePatience({ [POLL_SECONDS * 1000]: 86_400_000 })

type Seeding = Parameters<NonNullable<Parameters<typeof openRig>[0]>>[0]

export async function openTaskHouse(
  seed: (rig: Seeding) => Promise<void>,
  environment: Record<string, string> = {},
  times?: LedgerTimes,
): Promise<TaskHouse> {
  const people: Payer[] = []
  const rig = await openRig(async books => {
    await seed(books)
    for (let at = 0; at < 2; at++) {
      const userId = await books.addUser({ quota: 50_000_000 })
      people.push({ userId, ...(await books.addToken({ userId })) })
    }
  }, environment)
  const [payer, stranger] = people
  if (!payer || !stranger) throw new Error('nobody pays')
  let known = await rig.balance(payer.userId)
  let later = 0
  let acting = 0
  let root: Promise<Client> | undefined
  const { store } = rig
  const clock = (): number => Math.floor(Date.now() / 1000) + later
  const kept = await keepLedger(store, freshDataDir(), clock, times)
  const outbound = createOutbound({ allowPrivate: () => true })
  const told: TaskHouse['told'] = []
  const listened: Outbound = {
    ...outbound,
    fetch(url, options) {
      if (options.policy === 'user') told.push({ url: String(url), body: String(options.body) })
      return outbound.fetch(url, options)
    },
  }
  const relay = await openRelay({
    store,
    ledger: kept.ledger,
    outbound: listened,
    now: clock,
    nodeName: kept.nodeName,
  })
  const parts: RelayParts = relay.parts
  return {
    ...rig,
    payer,
    stranger,
    told,
    async setOption(key, value) {
      // By the program itself, where it is in force when the answer comes; the test's own node looks at once.
      root ??= rootClient(rig.url)
      const { json, text } = await (await root).saveOption(key, value)
      if (!json?.success) throw new Error(text)
      await store.settings.refresh()
    },
    call: (method, path, body, key = payer.key) => ask(rig.url, method, path, body, key),
    async spent() {
      const now = await rig.balance(payer.userId)
      const difference = known - now
      known = now
      return difference
    },
    async poll(seconds = 0, atOnce = 1) {
      later = seconds
      let areOurs = false
      while (!areOurs) {
        const due = await makeDue(store)
        const poll = () =>
          Promise.all([pollTasks(parts, taskProviders), pollBatches(parts, batchHosts), pollJobs(parts)])
        const polled = await Promise.all(Array.from({ length: atOnce }, poll))
        // The program asks too, every now and then, by a clock of its own: what it was faster to take is asked again.
        areOurs = due.every((count, kind) => polled.reduce((sum, one) => sum + (one[kind] ?? 0), 0) >= count)
        await until(async () => (await batchesLookedAt(store)) === 0)
      }
      later = 0
    },
    async later(seconds, act) {
      later = seconds
      acting++
      try {
        return await act(parts)
      } finally {
        // Of several at once it is that late until the last of them is done.
        if (--acting === 0) later = 0
      }
    },
    async refunds(id) {
      const rows = await store.db
        .selectFrom('logs')
        .select(['type', 'content', 'quota'])
        .where('type', '=', 4)
        .where('content', 'like', `%${id}%`)
        .execute()
      return rows.map(row => `${row.content} ${row.quota}`)
    },
    async close() {
      await rig.program.stop()
      await kept.stop()
      await store.close()
    },
  }
}

/** The books of a node to which something happens in the very moment after it gave money back. */
export function afterRelease({ ledger }: RelayParts, happens: () => Promise<void>): RelayParts['ledger'] {
  const release: typeof ledger.release = async (...of) => {
    await ledger.release(...of)
    await happens()
  }
  return new Proxy(ledger, {
    get(_, name) {
      const own: unknown = Reflect.get(ledger, name)
      if (name === 'release') return release
      return typeof own === 'function' ? own.bind(ledger) : own
    },
  })
}

/** How many tasks, batches and responses there are to ask after, all of them now. */
function makeDue({ db }: Store): Promise<number[]> {
  const set = { next_poll_at: 0 }
  const { submitting, running } = runStates
  const all = [
    db.updateTable('task_runs').set(set).where('state', 'in', [submitting, running]),
    db.updateTable('batches').set(set).where('state', 'in', unfinished),
    db.updateTable('background_responses').set(set).where('state', '=', jobStates.running),
  ]
  return Promise.all(all.map(async one => Number((await one.executeTakeFirstOrThrow()).numUpdatedRows)))
}

async function batchesLookedAt({ db }: Store): Promise<number> {
  const claimed = db
    .selectFrom('batches')
    .select('id')
    .where('claim', '<>', '')
    .where('state', 'in', unfinished)
  return (await claimed.execute()).length
}

async function ask(url: string, method: string, path: string, body: unknown, key: string): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    json: isJson ? JSON.parse(text) : text,
    requestId: response.headers.get('x-oneapi-request-id') ?? '',
  }
}
