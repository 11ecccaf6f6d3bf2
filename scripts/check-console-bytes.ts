// Compares what each screen of the built console costs to load (JS and CSS, gzip -9, empty cache) with what
// it may cost. A screen without a budget fails: decide one here when you add a screen.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ConsoleWeight, type Weight, weighConsole } from './console-weight.ts'

/** KiB. */
const screenBudgets: Record<string, number> = {
  login: 186,
  register: 195,
  reset: 186,
  oauth: 187,
  'own-account': 235,
  setup: 191,
  home: 187,
  about: 184,
  'not-found': 181,
  start: 219,
  settings: 274,
  token: 247,
  prompt: 274,
  user: 243,
  team: 270,
  pricing: 220,
  rankings: 215,
  midjourney: 254,
  task: 252,
  redemption: 249,
  plan: 243,
  'mcp-server': 249,
  tools: 217,
  topup: 222,
  detail: 246,
  channel: 295,
  log: 233,
  playground: 286,
  chat: 187,
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
