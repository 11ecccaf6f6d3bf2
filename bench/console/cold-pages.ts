import { openStage } from '../../test/browser/harness.ts'
import { fillStage } from '../../test/browser/lived-in.ts'
import { type Scene, scenes } from '../../test/browser/scenes.ts'
import { median, milliseconds, type Table } from '../rig/print-table.ts'
import { enterEmulated, type Line, type Seen } from './enter-emulated.ts'

const TIMES = 3
const cable: Line = { latency: 28, down: 5_000_000, up: 1_000_000 }
const slow4g: Line = { latency: 150, down: 1_600_000, up: 750_000 }

const pages = [
  'home',
  'about',
  'pricing',
  'login',
  'register',
  'reset',
  'playground',
  'channel',
  'token',
  'detail',
  'redemption',
  'topup',
  'user',
  'log',
  'midjourney',
  'task',
  'setting-personal',
  'setting-operation',
]

interface Row {
  readonly name: string
  readonly cable: Seen
  readonly slow4g: Seen
}

/** Each page of an installation that has been lived in, with nothing in the cache, over two lines. */
export async function measureColdPages(): Promise<Table> {
  const stage = await openStage()
  try {
    const { user } = await fillStage(stage)
    const rows: Row[] = []
    for (const scene of scenes.filter(({ name }) => pages.includes(name))) {
      const over = (line: Line) => enterSeveral(scene, line)
      rows.push({ name: scene.name, cable: await over(cable), slow4g: await over(slow4g) })
    }
    return describe(rows)

    async function enterSeveral(scene: Scene, line: Line): Promise<Seen> {
      const as = { root: { asRoot: true }, user: { as: user }, nobody: {} }[scene.as]
      const seen: Seen[] = []
      for (let time = 0; time < TIMES; time++) seen.push(await enterEmulated(stage, scene.path, as, line))
      const middle = (read: (one: Seen) => number) => median(seen.map(read))
      return { lcp: middle(one => one.lcp), cls: middle(one => one.cls), tbt: middle(one => one.tbt) }
    }
  } finally {
    await stage.close()
  }
}

function describe(rows: readonly Row[]): Table {
  return {
    title: `Console: cold pages, median of ${TIMES}; cable is 5 Mbit/s and 28 ms, slow 4G 1.6 Mbit/s and 150 ms`,
    columns: ['', 'LCP cable', 'LCP slow 4G', 'CLS cable', 'CLS slow 4G', 'TBT cable', 'TBT slow 4G'],
    rows: rows.map(row => [
      row.name,
      milliseconds(row.cable.lcp),
      milliseconds(row.slow4g.lcp),
      row.cable.cls.toFixed(3),
      row.slow4g.cls.toFixed(3),
      milliseconds(row.cable.tbt),
      milliseconds(row.slow4g.tbt),
    ]),
    notes: [
      "the browser holds back each answer by the line's delay and rate; the processor is this machine's own",
      'TBT: what tasks took beyond 50 ms each, from the first paint of content until nothing is under way',
      judgeAll('LCP on cable', rows, row => row.cable.lcp, 1200, 'ms'),
      judgeAll('LCP on slow 4G', rows, row => row.slow4g.lcp, 2500, 'ms'),
      judgeAll('CLS', rows, row => Math.max(row.cable.cls, row.slow4g.cls), 0.02, ''),
      judgeAll('TBT', rows, row => Math.max(row.cable.tbt, row.slow4g.tbt), 150, 'ms'),
    ],
  }
}

function judgeAll(
  what: string,
  rows: readonly Row[],
  read: (row: Row) => number,
  most: number,
  unit: string,
) {
  const over = rows.filter(row => read(row) > most).map(({ name }) => name)
  const outcome = over.length === 0 ? 'met by all' : `missed by ${over.join(', ')}`
  return `${what}, target ≤ ${`${most} ${unit}`.trim()}: ${outcome}`
}
