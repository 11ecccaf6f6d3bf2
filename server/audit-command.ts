import { existsSync } from 'node:fs'
import { describeSubject } from './audit-subjects.ts'
import { CannotStart } from './cannot-start.ts'
import { connectStore } from './connect-store.ts'
import { describeDatabase, type Env } from './env.ts'
import { audit } from './ledger/audit.ts'
import { exitCodes } from './process-messages.ts'

/** `audit`: proves the books of the database the environment names, and prints what differs. */
export async function runAudit(env: Env, secretKey: string): Promise<number> {
  const { engine, target } = env.database
  if (engine === 'sqlite' && !existsSync(target))
    throw new CannotStart(
      `there is no database ${target}: see DATA_DIR and DATABASE_URL`,
      exitCodes.configuration,
    )
  const store = await connectStore(env, { secretKey, asItIs: true, connections: 4 })
  const { checks, differences } = await store.patiently(db => audit(db, store.cipher))
  await store.close()
  process.stdout.write(`${describeDatabase(env)}\n`)
  for (const { name, differences: count } of checks)
    process.stdout.write(`  ${count === 0 ? 'ok    ' : 'WRONG '} ${name}${count === 0 ? '' : `: ${count}`}\n`)
  for (const { check, subject, expected, found } of differences)
    process.stdout.write(
      `    ${check}: ${describeSubject(check, subject)} should be ${expected} and is ${found}\n`,
    )
  const agree = differences.length === 0
  process.stdout.write(agree ? 'The books agree.\n' : 'The books do not agree.\n')
  return agree ? 0 : 1
}
