/** `npm run import -- <database>`: takes over what an installation of one-api or new-api has. */
import { existsSync } from 'node:fs'
import { CannotStart } from './cannot-start.ts'
import { connectStore } from './connect-store.ts'
import { describeDatabase, EnvError, readEnv } from './env.ts'
import { describeError } from './log.ts'
import { secretKey } from './secret-key.ts'
import { importFrom } from './services/import/index.ts'
import { ImportRefused, type ImportReport } from './services/import/report.ts'
import { type ForeignDatabase, openForeignDatabase } from './store/foreign-database.ts'

const MOST_NOTES = 200
const USAGE = `npm run import -- <database>

<database> is the file of one-api or new-api (one-api.db), or its address: mysql://user:password@host:port/name,
user:password@tcp(host:port)/name or postgres://user:password@host:port/name. It is only read. Stop the older
tool first; what it still charges afterwards does not come along.`

try {
  const [address, ...more] = process.argv.slice(2)
  if (!address || more.length > 0) throw new ImportRefused(USAGE)
  const env = readEnv()
  const source = await openSource(address)
  const store = await connectStore(env, { secretKey: secretKey(env.secretKey, env.dataDir) })
  const now = (): number => Math.floor(Date.now() / 1000)
  const report = await importFrom({ store, now, rootPassword: env.rootPassword }, source)
  await store.close()
  await source.close()
  print(describeDatabase(env), report)
  process.exit(0)
} catch (error) {
  const known = error instanceof EnvError || error instanceof CannotStart || error instanceof ImportRefused
  process.stderr.write(`${known ? error.message : describeError(error)}\n`)
  process.exit(1)
}

/** Whatever is wrong with it, the address may hold a password and is not repeated. */
async function openSource(address: string): Promise<ForeignDatabase> {
  const isFile = !/:\/\/|@tcp\(/.test(address)
  if (isFile && !existsSync(address)) throw new ImportRefused(`There is no file ${address}.`)
  try {
    return await openForeignDatabase(address)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ImportRefused(`The database to import from cannot be read: ${reason}`)
  }
}

function print(into: string, { came, notes }: ImportReport): void {
  process.stdout.write(`into ${into}\n`)
  for (const [what, count] of came) process.stdout.write(`  ${String(count).padStart(9)} ${what}\n`)
  for (const note of notes.slice(0, MOST_NOTES)) process.stdout.write(`  ! ${note}\n`)
  if (notes.length > MOST_NOTES)
    process.stdout.write(`  ! and ${notes.length - MOST_NOTES} more of this kind\n`)
  process.stdout.write(
    'Start Tollgate with the same environment. Keys, passwords and balances are as they were.\n',
  )
}
