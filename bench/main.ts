// npm run bench: the load rigs, each figure beside the bare limit of the same run.
//   npm run bench                          every rig
//   npm run bench -- house                 one rig
//   npm run bench -- house status memory   some of its parts
//   npm run bench -- house --write         and puts what was seen into bench/results.md

import { houseParts } from './house/parts.ts'
import { ledgerParts } from './ledger/parts.ts'
import { relayParts } from './relay/parts.ts'
import { describeMachine } from './rig/describe-machine.ts'
import { formatTable, type Table } from './rig/print-table.ts'
import { endEverything } from './rig/running.ts'
import { writeResults } from './rig/write-results.ts'

/** A rig is a row of parts; each part measures and answers with what it saw. */
const rigs: Record<string, Record<string, () => Promise<Table>>> = {
  house: houseParts,
  ledger: ledgerParts,
  relay: relayParts,
}

const args = process.argv.slice(2)
const isWriting = args.includes('--write')
const [rigName, ...partNames] = args.filter(argument => argument !== '--write')

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
  if (isWriting && partNames.length > 0) throw new Error('--write wants the whole rig, not parts of it')
  const machine = describeMachine()
  for (const [name, parts] of Object.entries(rigs)) {
    if (rigName !== undefined && rigName !== name) continue
    const unknown = partNames.filter(part => !parts[part])
    if (unknown.length > 0) throw new Error(`${name} has no part ${unknown.join(', ')}. ${whatThereIs()}`)
    console.log(`${name}: ${machine}\n`)
    const tables: Table[] = []
    for (const [part, measure] of Object.entries(parts)) {
      if (partNames.length > 0 && !partNames.includes(part)) continue
      const table = await measure()
      tables.push(table)
      console.log(`${formatTable(table)}\n`)
    }
    if (isWriting) writeResults(name, `npm run bench -- ${name} --write`, machine, tables)
  }
}

function whatThereIs(): string {
  const lines = Object.entries(rigs).map(([name, parts]) => `  ${name}  ${Object.keys(parts).join(' ')}`)
  return `Rigs and their parts:\n${lines.join('\n')}`
}
