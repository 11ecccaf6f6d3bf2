/** `npm run audit`: proves the books of the database the environment names, and prints what differs. */
import { CannotStart } from './cannot-start.ts'
import { describeDatabase, EnvError, readEnv } from './env.ts'
import { audit } from './ledger/audit.ts'
import { describeError } from './log.ts'
import { secretKey } from './secret-key.ts'
import { openStore } from './store/index.ts'

try {
  const env = readEnv()
  const store = await openStore({ ...env.database, secretKey: secretKey(env.secretKey, env.dataDir) })
  const { checks, differences } = await audit(store.db)
  await store.close()
  process.stdout.write(`${describeDatabase(env)}\n`)
  for (const { name, differences: count } of checks)
    process.stdout.write(`  ${count === 0 ? 'ok    ' : 'WRONG '} ${name}${count === 0 ? '' : `: ${count}`}\n`)
  for (const { check, subject, expected, found } of differences)
    process.stdout.write(`    ${check}: ${subject} should be ${expected} and is ${found}\n`)
  process.exit(differences.length === 0 ? 0 : 1)
} catch (error) {
  const known = error instanceof EnvError || error instanceof CannotStart
  process.stderr.write(`${known ? error.message : describeError(error)}\n`)
  process.exit(2)
}
