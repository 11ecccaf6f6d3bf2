import { TokenCounter } from '../../server/relay/counting/token-counter.ts'
import type { Piece } from '../../server/relay/stream/conveyor.ts'
import { median, type Table } from '../rig/print-table.ts'
import { type Recorded, recordStream } from './record-stream.ts'
import { listVendors } from './vendors.ts'

/** As many as an ordinary answer has: few enough that nothing is handed to the counting thread. */
const FRAMES = 96
const CHUNK = 4096
const ROUNDS = 5
const ROUND_MS = 60
const PLAIN_MS = 30
const WARM_UP_MS = 250
const MOST = 4

interface Case {
  readonly recorded: Recorded
  readonly chunks: readonly Uint8Array[]
  readonly costs: number[]
  readonly ratios: number[]
}

/** What conveying a frame costs, for each type, beside a stream of OpenAI's that passes as it is. */
export async function measureFrames(): Promise<Table> {
  const words = Array.from({ length: FRAMES }, (_, at) => ` word${String(at).padStart(3, '0')}`)
  const recorded: Recorded[] = []
  for (const vendor of listVendors()) recorded.push(await recordStream(vendor, words))
  for (const one of recorded) proveWhole(one, words)
  const byFrame = await time(recorded.map(one => begin(one, one.frames)))
  const byChunk = await time(recorded.map(one => begin(one, cutChunks(one.frames))))
  const rows = recorded.map((one, at) => {
    const both = [byFrame[at], byChunk[at]].map(seen => ({
      cost: median(seen?.costs ?? []),
      ratio: median(seen?.ratios ?? []),
    }))
    return [
      one.name,
      one.passes ? 'passes' : one.streams ? 'converted' : 'whole',
      String(bytesPerFrame(one)),
      ...both.flatMap(({ cost, ratio }) => [cost.toFixed(2), ratio.toFixed(2)]),
      both.every(({ ratio }) => ratio <= MOST) ? 'met' : 'missed',
    ]
  })
  return {
    title: `CPU of conveying a streamed frame to an OpenAI client, answers of ${FRAMES} pieces, median of ${ROUNDS} × ${ROUND_MS} ms`,
    columns: [
      '',
      'how',
      'bytes',
      'a frame at a time µs',
      '× plain',
      `${CHUNK / 1024} KB at a time µs`,
      '× plain',
      `≤ ${MOST} ×`,
    ],
    rows,
    notes: [
      'in one process and without sockets: the vendor’s bytes through the conveyor of the relay; all threads count',
      'plain: the first row, timed anew just before each, medians of the ratios; the stream of a WebSocket is its messages, as the conveyor gets them',
      'whole: answers of this vendor come in one piece and become a stream; the cost is for each of the pieces that others send',
    ],
  }
}

function begin(recorded: Recorded, chunks: readonly Uint8Array[]): Case {
  return { recorded, chunks, costs: [], ratios: [] }
}

/**
 * Every case in turn, round after round, every other round backwards. The machine is not always equally quick,
 * so plain passing is timed anew just before each.
 */
async function time(cases: readonly Case[]): Promise<readonly Case[]> {
  const counter = new TokenCounter()
  for (const each of cases) spend(each, counter, WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of round % 2 === 0 ? cases : cases.toReversed()) {
      const beside = spend(cases[0] ?? each, counter, PLAIN_MS)
      const cost = spend(each, counter, ROUND_MS)
      each.costs.push(cost)
      each.ratios.push(cost / beside)
      await Bun.sleep(0)
    }
  }
  counter.stop()
  return cases
}

/** Microseconds of CPU for each frame. */
function spend({ recorded, chunks }: Case, counter: TokenCounter, forMs: number): number {
  const until = performance.now() + forMs
  const before = process.cpuUsage()
  let answers = 0
  for (; performance.now() < until; answers++) convey(recorded, chunks, counter)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (answers * Math.max(recorded.frames.length, FRAMES))
}

function convey(recorded: Recorded, chunks: readonly Uint8Array[], counter: TokenCounter): void {
  const conveyor = recorded.createConveyor(counter)
  for (const chunk of chunks) conveyor.take(chunk)
  if (!conveyor.end()) throw new Error(`${recorded.name}: the answer was not whole`)
  conveyor.forget()
  conveyor.rest()
}

/** What is measured must be the work: everything said comes out at the other end. */
function proveWhole(recorded: Recorded, words: readonly string[]): void {
  const counter = new TokenCounter()
  const conveyor = recorded.createConveyor(counter)
  const pieces = recorded.frames.map(frame => asText(conveyor.take(frame)))
  conveyor.end()
  conveyor.forget()
  const said = pieces.join('') + asText(conveyor.rest())
  const lost = words.filter(word => !said.includes(word))
  if (lost.length > 0) throw new Error(`${recorded.name}: the client never heard ${lost.join()}`)
}

function asText(piece: Piece | undefined): string {
  if (piece === undefined || typeof piece === 'string') return piece ?? ''
  return Buffer.concat(piece instanceof Uint8Array ? [piece] : piece).toString()
}

function cutChunks(frames: readonly Uint8Array[]): Uint8Array[] {
  const bytes = Buffer.concat(frames)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK))
  return chunks
}

function bytesPerFrame({ frames }: Recorded): number {
  return Math.round(frames.reduce((sum, frame) => sum + frame.length, 0) / frames.length)
}
