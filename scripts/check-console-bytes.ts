// Compares what each screen of the built console costs to load (JS and CSS, gzip -9, empty cache) with what
// it may cost. A screen without a budget fails: decide one here when you add a screen.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ConsoleWeight, type Weight, weighConsole } from './console-weight.ts'

/** KiB. */
const screenBudgets: Record<string, number> = {
  login: 194,
  register: 195,
  reset: 192,
  oauth: 192,
  'own-account': 245,
  setup: 191,
  home: 245,
  about: 245,
  'not-found': 245,
  start: 245,
  settings: 276,
  token: 292,
  prompt: 292,
  user: 290,
  team: 290,
  pricing: 290,
  rankings: 245,
  midjourney: 290,
  task: 290,
  redemption: 290,
  plan: 290,
  'mcp-server': 291,
  tools: 245,
  topup: 290,
  detail: 290,
  channel: 310,
  log: 310,
  playground: 345,
  chat: 247,
}
const lazyPartBudget = 110
/** All screens' words together; a visitor loads the shell's and those of the screens they open. */
const languageBudget = 34

export type Row = { readonly name: string; readonly kib: number; readonly budget: number | undefined }

export function compareWithBudgets(weight: ConsoleWeight): Row[] {
  const row = ({ name, bytes }: Weight, budget: number | undefined) => ({ name, kib: bytes / 1024, budget })
  return [
    ...weight.screens.map(screen => row(screen, screenBudgets[screen.name])),
    ...weight.lazyParts.map(part => row({ ...part, name: `+ ${part.name}` }, lazyPartBudget)),
    ...weight.languages.map(language => row({ ...language, name: `texts ${language.name}` }, languageBudget)),
  ]
}

export function findFaults(rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, kib, budget }) => {
    if (budget === undefined) return [`${name} has no budget`]
    return kib > budget ? [`${name} is ${kib.toFixed(1)} KiB; ${budget} is the most`] : []
  })
}

function printTable(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length), 6)
  for (const { name, kib, budget } of rows) {
    console.log(`${name.padEnd(width)} ${kib.toFixed(1).padStart(7)} KiB of ${budget ?? '?'}`)
  }
}

if (import.meta.main) {
  const root = join(import.meta.dir, '..')
  const folder = join(root, 'dist/console')
  if (!existsSync(join(folder, '.vite/manifest.json'))) {
    console.error('The console is not built: run "node scripts/prepare.mjs" first')
    process.exit(1)
  }
  const weight = weighConsole(folder)
  const rows = compareWithBudgets(weight)
  const unseen = readdirSync(join(root, 'console/screens')).filter(
    screen => !weight.screens.some(({ name }) => name === screen),
  )
  printTable(rows)
  const faults = [...findFaults(rows), ...unseen.map(name => `${name} is not loaded as a screen of its own`)]
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
