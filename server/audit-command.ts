import { existsSync } from 'node:fs'
import { adviseOn, describeDifference, mendBySql } from './audit-words.ts'
import { CannotStart } from './cannot-start.ts'
import { connectStore } from './connect-store.ts'
import { describeDatabase, type Env } from './env.ts'
import { audit, type Difference } from './ledger/audit.ts'
import { exitCodes } from './process-messages.ts'
import { cannotReadOn } from './start-problems.ts'

/** `audit`: proves the books of the database the environment names, and prints what differs. */
export async function runAudit(env: Env, secretKey: string): Promise<number> {
  const { engine, target } = env.database
  if (engine === 'sqlite' && !existsSync(target))
    throw new CannotStart(
      `there is no database ${target}: see DATA_DIR and DATABASE_URL`,
      exitCodes.configuration,
    )
  const store = await connectStore(env, { secretKey, asItIs: true, connections: 4 })
  const { checks, differences } = await store
    .patiently(db => audit(db, store.cipher))
    .catch(error => {
      throw cannotReadOn(env, error, 'the books could not be read')
    })
    .finally(() => store.close())
  process.stdout.write(`${describeDatabase(env)}\n`)
  for (const { name, differences: count } of checks)
    process.stdout.write(`  ${count === 0 ? 'ok    ' : 'WRONG '} ${name}${count === 0 ? '' : `: ${count}`}\n`)
  for (const difference of differences)
    process.stdout.write(`    ${difference.check}: ${describeDifference(difference)}\n`)
  const agree = differences.length === 0
  process.stdout.write(agree ? 'The books agree.\n' : 'The books do not agree.\n')
  if (!agree) process.stdout.write(whatToDo(differences))
  return agree ? 0 : 1
}

/** By checks, each once. */
function whatToDo(differences: readonly Difference[]): string {
  const parts = Map.groupBy(differences, ({ check }) => check).entries()
  const lines = [...parts].flatMap(([check, found]) => [
    `  ${check}:`,
    `    ${adviseOn(check)}.`,
    ...found.flatMap(mendBySql).map(statement => `      ${statement}`),
  ])
  return ['What to do, after a backup; then audit again:', ...lines, ''].join('\n')
}
