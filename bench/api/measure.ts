import type { Table } from '../rig/print-table.ts'
import { start } from '../rig/running.ts'
import type { Call } from './calls/call.ts'
import { calls } from './calls.ts'
import type { SteadySeen } from './client/steady-calls.ts'
import { timeClearing, timeExport } from './long-calls.ts'
import { pace, relayBeside } from './relay-beside.ts'
import { type House, startHouse } from './start-house.ts'
import { type Clients, type Seen, timeCall, timeOnce } from './time-calls.ts'

const RELAY_SECONDS = 15
/** The clearing takes its time while models are called; the rest of it is done when nobody calls. */
const CLEARING_BESIDE_SECONDS = 60
/** What two runs of the very same calls differ by. */
const SAME_RATIO = 1.25
const SAME_MS = 1

/** What the others are compared with, and what the machine itself does to the relay when a core has work. */
const NOTHING = 'nothing'
const BUSY_CORE = 'a loop in another program, at the lowest priority'
/** As the processes of a database have it. */
const USUAL_LOOP = 'a loop in another program, at the usual priority'
const controls = [NOTHING, BUSY_CORE, USUAL_LOOP]

interface Long {
  readonly name: string
  readonly seconds: number
  readonly rows: number
}

interface Measured {
  readonly rows: number
  readonly pages: readonly Seen[]
  readonly long: readonly Long[]
  readonly generatedSeconds: number
}

type Relayed = readonly (readonly [beside: string, seen: SteadySeen])[]

/** All calls on a tenth of the rows and on all of them, then the relay beside them. */
export async function measureApi(title: string, rows: number, freshUrl: () => Promise<string | undefined>) {
  const small = await measureHouse(Math.round(rows / 10), await freshUrl())
  const large = await measureHouse(rows, await freshUrl(), 'relay')
  return [callTable(title, small, large), relayTable(title, rows, large.relayed)]
}

async function measureHouse(
  rows: number,
  url: string | undefined,
  beside?: 'relay',
): Promise<Measured & { relayed: Relayed }> {
  const house = await startHouse(rows, url, askEach)
  const { clients, loop, generatedSeconds } = house
  const pages: Seen[] = []
  for (const call of calls) pages.push(await timeCall(clients, call, loop))
  const relayed: [string, SteadySeen][] = []
  const during = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    if (!beside) await work()
    else relayed.push([name, await relayBeside(house.gateway, house.key, work)])
  }
  if (beside) await warmUpRelay(house)
  if (beside) await during(NOTHING, () => Bun.sleep(RELAY_SECONDS * 1000))
  if (beside) await during(BUSY_CORE, () => besideBusyCore(RELAY_SECONDS, 19))
  if (beside) await during(USUAL_LOOP, () => besideBusyCore(RELAY_SECONDS, 0))
  if (beside) await during('all of the calls above, one after the other', () => callInTurn(clients))
  const long: Long[] = []
  await during('the export', async () => long.push(await timeExport(clients.admin, rows)))
  const clearing = timeClearing(clients.admin, rows)
  await during('the clearing', () => Promise.race([clearing, Bun.sleep(CLEARING_BESIDE_SECONDS * 1000)]))
  long.push(await clearing)
  await house.stop()
  return { rows, pages, long, generatedSeconds, relayed }
}

async function askEach(clients: Clients): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  for (const call of calls) await timeOnce(clients, call, 0, now)
}

/** Until its code is compiled the relay is another program. */
function warmUpRelay({ gateway, key }: House): Promise<unknown> {
  return relayBeside(gateway, key, () => Bun.sleep(5000))
}

async function besideBusyCore(seconds: number, niceness: number): Promise<void> {
  const loop = start(['nice', '-n', String(niceness), process.execPath, '-e', 'for (;;) {}'])
  await Bun.sleep(seconds * 1000)
  await loop.stop()
}

async function callInTurn(clients: Clients): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const until = performance.now() + RELAY_SECONDS * 1000
  for (let at = 0; performance.now() < until; at++) {
    const call = calls[at % calls.length]
    if (call) await timeOnce(clients, call, Math.floor(at / calls.length), now)
  }
}

function callTable(title: string, small: Measured, large: Measured): Table {
  const rows = calls.map((call, at) => callCells(call, small.pages[at], large.pages[at]))
  const long = large.long.map(({ name, seconds, rows: many }, at) => {
    const before = small.long[at]
    const rate = `${Math.round(many / seconds).toLocaleString('en')} rows/s`
    const cells = [before?.seconds, seconds].flatMap(each => ['', '', `${(each ?? 0).toFixed(1)} s`, ''])
    return [
      `${name}: ${many.toLocaleString('en')} rows`,
      ...cells,
      growth(before?.seconds, seconds),
      rate,
      '',
    ]
  })
  const [few, many] = [small, large].map(({ rows: of }) => `${of / 1e6} M`)
  const missed = rows.filter(row => row.at(-1) === 'missed').length
  return {
    title: `Management API on ${title}`,
    columns: [
      '',
      `${few}: first`,
      'p50',
      'p95 ms',
      'held ms',
      `${many}: first`,
      'p50',
      'p95 ms',
      'held ms',
      'grows',
      'p95 target',
      '',
    ],
    rows: [...rows, ...long],
    notes: [
      '40 calls each, one at a time, each for something else; milliseconds until the last byte',
      'first: the first after a start, of a house where each was asked for before',
      'held: processor time for which the event loop that relays was busy at one go, at most',
      `generated in ${Math.round(small.generatedSeconds)} s and ${Math.round(large.generatedSeconds)} s`,
      `the clearing of ${many}: its first ${CLEARING_BESIDE_SECONDS} s beside ${pace}, then alone`,
      `${rows.length - missed} of ${rows.length} met`,
    ],
  }
}

function callCells({ name, mostMs }: Call, small: Seen | undefined, large: Seen | undefined): string[] {
  const figures = [small, large].flatMap(seen => {
    if (!seen) return ['', '', '', '']
    return [seen.first, seen.p50, seen.p95, seen.held].map(figure => figure.toFixed(1))
  })
  const isMet = [small, large].every(seen => seen && seen.p95 <= mostMs)
  return [name, ...figures, growth(small?.p50, large?.p50), `≤ ${mostMs} ms`, isMet ? 'met' : 'missed']
}

function growth(from: number | undefined, to: number | undefined): string {
  return from && to ? `× ${(to / from).toFixed(1)}` : ''
}

function relayTable(title: string, rows: number, relayed: Relayed): Table {
  const alone = relayed.find(([name]) => name === NOTHING)?.[1]
  return {
    title: `Relay on ${title} beside them, ${pace}, ${rows / 1e6} M rows`,
    columns: ['beside', 'calls', 'p50 ms', 'p99 ms', ''],
    rows: relayed.map(([name, { calls: many, p50, p99 }]) => {
      const isSame = alone && p99 <= Math.max(alone.p99 * SAME_RATIO, alone.p99 + SAME_MS)
      const verdict = controls.includes(name) ? '' : isSame ? 'met' : 'missed'
      return [name, many.toLocaleString('en'), p50.toFixed(2), p99.toFixed(2), verdict]
    }),
    notes: [
      `target: the p99 does not move; ${SAME_RATIO} times or ${SAME_MS} ms more counts as the same`,
      'all of it on the same cores: the gateway, its database, the upstream and both clients',
    ],
  }
}
