import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { connectStore } from './connect-store.ts'
import { describeDatabase, type Env, readVariable } from './env.ts'
import { isOneFile } from './one-file.ts'
import { importFrom } from './services/import/index.ts'
import { importDatabase, isLitellm } from './services/import/litellm/database/index.ts'
import { importConfig } from './services/import/litellm/index.ts'
import { ImportRefused, ImportReport, nameOf, sayOf } from './services/import/report.ts'
import {
  type ForeignDatabase,
  ForeignUnreadable,
  isAddress,
  openForeignDatabase,
} from './store/foreign-database.ts'

const MOST_NOTES = 200
/** How somebody types it here: beside the executable alone there is no npm. */
const COMMAND = isOneFile ? 'tollgate import' : 'npm run import --'
const USAGE = `${COMMAND} <database> [--without-log]
${COMMAND} <database of LiteLLM> [--wallet=<dollars>]
${COMMAND} config.yaml [--prompts-for=<username>]

<database> is the file of one-api or new-api (one-api.db), or its address: mysql://user:password@host:port/name,
user:password@tcp(host:port)/name or postgres://user:password@host:port/name. It is only read. Stop the older
tool first; what it still charges afterwards does not come along.

Of LiteLLM's database users, teams, keys and models come, beside what is here. Those who had no budget there get a
wallet of a million dollars, or of what --wallet says; models want its LITELLM_SALT_KEY in the environment, or the
LITELLM_MASTER_KEY.

config.yaml is LiteLLM's: its models become channels, beside those that are here. Keys that it takes from the
environment (os.environ/NAME) are taken from there. Its prompts are kept by the super administrator, or by the account
or team that --prompts-for names.`
const WITHOUT_LOG = '--without-log'
const PROMPT_FILE = '.prompt'
const WALLET = '--wallet='
const PROMPTS_FOR = '--prompts-for='
/** Dollars, for those who might spend without end before. */
const USUAL_WALLET = 1_000_000
const MOST_WALLET = 1_000_000_000

/** `import <database>`: takes over what an installation of one-api, new-api or LiteLLM has, or the latter's models. */
export async function runImport(env: Env, secretKey: string, args: readonly string[]): Promise<number> {
  try {
    const isOption = (arg: string) =>
      arg === WITHOUT_LOG || [WALLET, PROMPTS_FOR].some(option => arg.startsWith(option))
    const [address = '', ...more] = args.filter(arg => !isOption(arg))
    if (more.length > 0 || !/^[^-]/.test(address)) throw new ImportRefused(USAGE)
    if (/\.ya?ml$/i.test(address))
      return await runConfigImport(env, secretKey, address, valueIn(args, PROMPTS_FOR))
    const wallet = readWallet(args)
    const source = await openSource(address)
    if (await isLitellm(source)) return await runLitellmImport(env, secretKey, source, wallet)
    const store = await connectStore(env, { secretKey })
    const now = (): number => Math.floor(Date.now() / 1000)
    const { rootPassword } = env
    const withLog = !args.includes(WITHOUT_LOG)
    const report = new ImportReport(showProgress)
    await importFrom({ store, now, rootPassword, withLog }, source, report)
    await store.close()
    await source.close()
    print(describeDatabase(env), report, 'Keys, passwords and balances are as they were.')
    return 0
  } catch (error) {
    endProgress()
    if (!(error instanceof ImportRefused || error instanceof ForeignUnreadable)) throw error
    const isUnreadable = error instanceof ForeignUnreadable
    process.stderr.write(
      isUnreadable
        ? `The database to import from cannot be read: ${error.message}\nNothing was taken over.\n`
        : `${error.message}\n`,
    )
    return 1
  }
}

async function runLitellmImport(
  env: Env,
  secretKey: string,
  source: ForeignDatabase,
  wallet: number,
): Promise<number> {
  const store = await connectStore(env, { secretKey })
  const now = (): number => Math.floor(Date.now() / 1000)
  const report = new ImportReport(showProgress)
  try {
    await importDatabase({ store, now, wallet, variable: readVariable }, source, report)
  } finally {
    await store.close()
    await source.close()
  }
  print(describeDatabase(env), report, 'Keys go on as they are; who logs in gets a password first.')
  return 0
}

function readWallet(args: readonly string[]): number {
  const given = valueIn(args, WALLET)
  if (given === undefined) return USUAL_WALLET
  const dollars = /^\d+(\.\d+)?$/.test(given) ? Number(given) : Number.NaN
  if (!(dollars <= MOST_WALLET)) throw new ImportRefused(USAGE)
  return dollars
}

function valueIn(args: readonly string[], option: string): string | undefined {
  return args.findLast(arg => arg.startsWith(option))?.slice(option.length)
}

async function runConfigImport(
  env: Env,
  secretKey: string,
  path: string,
  promptsFor: string | undefined,
): Promise<number> {
  refuseUnlessFile(path)
  const text = readConfig(path)
  const store = await connectStore(env, { secretKey })
  const now = (): number => Math.floor(Date.now() / 1000)
  const report = new ImportReport(showProgress)
  try {
    const promptFiles = (directory: string) => readPromptFiles(resolve(dirname(path), directory))
    await importConfig({ store, now, promptsFor, variable: readVariable }, { text, promptFiles }, report)
  } finally {
    await store.close()
  }
  print(describeDatabase(env), report, 'Who calls these models gets a token in the console.')
  return 0
}

/** By their names without the ending; undefined where there is no such directory. */
function readPromptFiles(directory: string): ReadonlyMap<string, string> | undefined {
  if (!existsSync(directory)) return undefined
  const files = readdirSync(directory).filter(file => file.endsWith(PROMPT_FILE))
  return new Map(
    files.map(file => [basename(file, PROMPT_FILE), readFileSync(join(directory, file), 'utf8')]),
  )
}

/** Whatever is wrong with it, the address may hold a password and is not repeated. */
async function openSource(address: string): Promise<ForeignDatabase> {
  if (!isAddress(address)) {
    if (/@|:\/\//.test(address) && !existsSync(address))
      throw new ImportRefused(
        'There is no such file, and no address of a database is written so: it is ' +
          'user:password@tcp(host:port)/name, mysql://… or postgres://…',
      )
    refuseUnlessFile(address)
  }
  return openForeignDatabase(address)
}

function refuseUnlessFile(path: string): void {
  if (!existsSync(path)) throw new ImportRefused(`There is no file ${path}.`)
  if (statSync(path).isDirectory()) throw new ImportRefused(`${path} is a folder: name the file in it.`)
}

function readConfig(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ImportRefused(`${path} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Millions of rows take minutes; whoever watches sees them come. */
function showProgress(what: Parameters<typeof nameOf>[0], soFar: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${soFar} ${nameOf(what, soFar)}`)
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}

function print(into: string, { came, notes, tallies }: ImportReport, last: string): void {
  endProgress()
  const lines = [`into ${into}`]
  for (const [what, count] of came) lines.push(`  ${String(count).padStart(9)} ${nameOf(what, count)}`)
  for (const [what, count] of tallies) lines.push(`  ! ${count} ${sayOf(what, count)}`)
  for (const note of notes.slice(0, MOST_NOTES)) lines.push(`  ! ${note}`)
  if (notes.length > MOST_NOTES) lines.push(`  ! and ${notes.length - MOST_NOTES} more of this kind`)
  lines.push(`Start Tollgate with the same environment. ${last}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}
