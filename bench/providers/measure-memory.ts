import { heapStats } from 'bun:jsc'
import { TokenCounter } from '../../server/relay/counting/token-counter.ts'
import type { Piece } from '../../server/relay/stream/conveyor.ts'
import { judgeAtMost } from '../relay/judge.ts'
import type { Table } from '../rig/print-table.ts'
import { readMemory } from '../rig/process-cost.ts'
import { type Recorded, recordStream } from './record-stream.ts'
import { listVendors } from './vendors.ts'

const ANSWER_BYTES = 50 * 1024 * 1024
const PIECE = 'lorem ipsum dolor sit amet, '.repeat(512)
const PIECES = 8
const MOST_MB = 20
const CLAUDE = 14
const SETTLE_MS = 2000

interface Memory {
  readonly rss: number
  readonly heap: number
}

interface Seen {
  readonly name: string
  readonly written: number
  readonly start: Memory
  readonly middle: Memory
  readonly end: Memory
}

/** A streamed answer of 50 MB of each type: it must go through, not pile up. */
export async function measureMemory(): Promise<Table> {
  const counter = new TokenCounter()
  const started = await startCounting(counter)
  const seen: Seen[] = await conveyCounted(counter)
  const whole: string[] = []
  for (const vendor of listVendors()) {
    const recorded = await recordStream(vendor, repeat(PIECES))
    if (recorded.streams) seen.push(await conveyAgain(recorded, counter))
    else whole.push(recorded.name)
  }
  counter.stop()
  const worst = seen.toSorted((a, b) => growth(b) - growth(a))[0]
  return {
    title: `One streamed answer of ${ANSWER_BYTES / 2 ** 20} MB to an OpenAI client, memory after a collection`,
    columns: [
      '',
      'MB out',
      'RSS before MB',
      'middle',
      'end',
      'growth MB',
      'heap before MB',
      'middle',
      'end',
      `≤ ${MOST_MB} MB`,
    ],
    rows: [
      [...describe(started), 'once'],
      ...seen.map(one => [...describe(one), growth(one) <= MOST_MB * 1e6 ? 'met' : 'missed']),
    ],
    notes: [
      'the start of the thread that counts tokens is paid once a process, with the first count: middle is when it had just answered, end two seconds later',
      'counted: with that thread; all others leave it out, as what waits for it drains at its own pace',
      'in one process and without sockets; before: after one such answer, uncounted; growth: of RSS, to the larger of middle and end',
      `left out, as its answers come in one piece and are held until all is there: ${whole.join(', ')}`,
      ...(worst
        ? [judgeAtMost(`the most that any grew, ${worst.name}`, growth(worst) / 1e6, MOST_MB, 'MB')]
        : []),
    ],
  }
}

function describe(one: Seen): string[] {
  const { name, written, start, middle, end } = one
  return [
    name,
    (written / 2 ** 20).toFixed(0),
    ...[start.rss, middle.rss, end.rss, growth(one)].map(megabytes),
    ...[start.heap, middle.heap, end.heap].map(megabytes),
  ]
}

/** Its own heap and the tables of the tokens: no answer's, so it stands by itself. */
async function startCounting(counter: TokenCounter): Promise<Seen> {
  const start = lookAtMemory()
  await counter.countText(PIECE)
  const middle = lookAtMemory()
  await Bun.sleep(SETTLE_MS)
  return { name: 'The counting thread’s start', written: 0, start, middle, end: lookAtMemory() }
}

async function conveyAgain(recorded: Recorded, counter: TokenCounter): Promise<Seen> {
  await convey(recorded, counter, false)
  const start = lookAtMemory()
  return { name: recorded.name, start, ...(await convey(recorded, counter, false)) }
}

/** Converted answers whose text is counted too; the first fills what may wait for the thread. */
async function conveyCounted(counter: TokenCounter): Promise<Seen[]> {
  const vendor = listVendors().find(({ type }) => type === CLAUDE)
  if (!vendor) throw new Error('There is no Claude')
  const recorded = await recordStream(vendor, repeat(PIECES))
  await convey(recorded, counter, false)
  const seen: Seen[] = []
  for (const which of ['first of the process', 'second']) {
    const start = lookAtMemory()
    seen.push({
      name: `${recorded.name}, counted, ${which}`,
      start,
      ...(await convey(recorded, counter, true)),
    })
  }
  return seen
}

/** The vendor's own frames, with one of those in the middle said again and again. */
async function convey(
  recorded: Recorded,
  counter: TokenCounter,
  isCounted: boolean,
): Promise<Omit<Seen, 'name' | 'start'>> {
  const { frames } = recorded
  const at = frames.length >> 1
  const again = frames[at] ?? new Uint8Array()
  const times = Math.ceil(ANSWER_BYTES / again.length)
  const conveyor = recorded.createConveyor(counter)
  if (!isCounted) conveyor.forget()
  let written = 0
  const take = (frame: Uint8Array): void => {
    // Copies, as each chunk from a socket has memory of its own; cut, as they are there.
    const half = frame.length >> 1
    for (const chunk of [frame.slice(0, half), frame.slice(half)]) written += lengthOf(conveyor.take(chunk))
  }
  for (const frame of frames.slice(0, at)) take(frame)
  let middle: Memory | undefined
  for (let time = 0; time < times; time++) {
    take(again)
    if (time === times >> 1) middle = lookAtMemory()
    await breathe()
  }
  for (const frame of frames.slice(at)) take(frame)
  const end = lookAtMemory()
  if (!conveyor.end()) throw new Error(`${recorded.name}: the answer was not whole`)
  conveyor.forget()
  written += lengthOf(conveyor.rest())
  return { written, middle: middle ?? end, end }
}

function repeat(times: number): string[] {
  return Array.from({ length: times }, () => PIECE)
}

/** Lets come back what the counting thread has to say. */
function breathe(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

function lookAtMemory(): Memory {
  Bun.gc(true)
  return { rss: readMemory(process.pid).rss, heap: heapStats().heapSize }
}

function growth({ start, middle, end }: Seen): number {
  return Math.max(middle.rss, end.rss) - start.rss
}

function lengthOf(piece: Piece | undefined): number {
  if (piece === undefined) return 0
  if (typeof piece === 'string' || piece instanceof Uint8Array) return piece.length
  return piece.reduce((sum, part) => sum + part.length, 0)
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
