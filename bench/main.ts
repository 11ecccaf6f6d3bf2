// npm run bench: the load rigs, each figure beside the bare limit of the same run.
//   npm run bench                          every rig
//   npm run bench -- house                 one rig
//   npm run bench -- house status memory   some of its parts
//   npm run bench -- house --write         and puts what was seen into bench/results.md
//   npm run bench -- api --engine sqlite --rows 50000   one engine, and a smaller log than usual

import { parseArgs } from 'node:util'
import { apiParts } from './api/parts.ts'
import { consoleParts } from './console/parts.ts'
import { houseParts } from './house/parts.ts'
import { ledgerParts } from './ledger/parts.ts'
import { peersParts } from './peers/parts.ts'
import { providersParts } from './providers/parts.ts'
import { relayParts } from './relay/parts.ts'
import { describeMachine } from './rig/describe-machine.ts'
import { formatTable, type Table } from './rig/print-table.ts'
import { endEverything } from './rig/running.ts'
import { writeResults } from './rig/write-results.ts'

interface Options {
  /** How many rows there are where rows are generated; each part has its usual number. */
  readonly rows?: number
}
type Part = (options: Options) => Promise<Table | readonly Table[]>

/** A rig is a row of parts; each part measures and answers with what it saw. */
const rigs: Record<string, Record<string, Part>> = {
  api: apiParts,
  console: consoleParts,
  house: houseParts,
  ledger: ledgerParts,
  peers: peersParts,
  providers: providersParts,
  relay: relayParts,
}

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, rows: { type: 'string' }, engine: { type: 'string' } },
  allowPositionals: true,
})
const isWriting = values.write === true
const [rigName, ...named] = positionals
const partNames = values.engine === undefined ? named : [...named, values.engine]
const options: Options = values.rows === undefined ? {} : { rows: readRows(values.rows) }

let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isInterrupted = true
    const quit = () => process.exit(130)
    endEverything().then(quit, quit)
  })
}
try {
  await run()
} catch (error) {
  // What was interrupted fails, and need not say so.
  if (!isInterrupted) console.error(error instanceof Error ? error.message : error)
  process.exitCode = isInterrupted ? 130 : 1
} finally {
  await endEverything()
}
process.exit()

async function run(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('The rigs read /proc and pin processes: they need Linux')
  if (rigName !== undefined && !rigs[rigName]) throw new Error(`There is no rig ${rigName}. ${whatThereIs()}`)
  if (isWriting && (partNames.length > 0 || options.rows !== undefined))
    throw new Error('--write wants the whole rig, not parts of it')
  const machine = describeMachine()
  for (const [name, parts] of Object.entries(rigs)) {
    if (rigName !== undefined && rigName !== name) continue
    const unknown = partNames.filter(part => !parts[part])
    if (unknown.length > 0) throw new Error(`${name} has no part ${unknown.join(', ')}. ${whatThereIs()}`)
    console.log(`${name}: ${machine}\n`)
    const tables: Table[] = []
    for (const [part, measure] of Object.entries(parts)) {
      if (partNames.length > 0 && !partNames.includes(part)) continue
      const seen = [await measure(options)].flat()
      tables.push(...seen)
      for (const table of seen) console.log(`${formatTable(table)}\n`)
    }
    if (isWriting) writeResults(name, `npm run bench -- ${name} --write`, machine, tables)
  }
}

function readRows(text: string): number {
  if (!/^\d{4,9}$/.test(text)) throw new Error(`--rows wants a number of at least 1000, not ${text}`)
  return Number(text)
}

function whatThereIs(): string {
  const lines = Object.entries(rigs).map(([name, parts]) => `  ${name}  ${Object.keys(parts).join(' ')}`)
  return `Rigs and their parts:\n${lines.join('\n')}`
}
