// npm test: gets what the tests need, starts real databases, runs everything, ends with one line
// `N passed, N failed`. A skipped test, a file that does not load and a file without tests count as failed.
//   npm test -- ledger browser/login    only the test files whose path contains one of these
//   npm test -- --whole accessibility   and all of what is done in part otherwise, because it takes long
//   npm test -- --times                 and what every file took, instead of the slowest ten

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseServer, removeAbandoned } from '../test/services/database-process.ts'
import { startMariadb, startPostgres, startRedis } from '../test/services/databases.ts'
import { findChromium } from '../test/services/find-program.ts'
import { makeSqliteTemplate, withTemplate } from '../test/services/make-templates.ts'
import { arrangeTestFiles, isBrief, kindOf, longestFirst } from './arrange-test-files.ts'
import { compileServer } from './compile-server.ts'
import { idleCores, lookAtCores } from './idle-cores.ts'
import { installMissing } from './install-services.ts'
import type { FileResult } from './read-junit.ts'
import { runTestFiles, type TestRun } from './run-test-files.ts'
import { scratchHome } from './scratch-home.ts'

const root = join(import.meta.dir, '..')
const cores = availableParallelism()
const isWhole = process.argv.includes('--whole')
const tellsAllTimes = process.argv.includes('--times')
const filters = process.argv.slice(2).filter(word => !['--whole', '--times'].includes(word))
// Of the databases too, which this process starts.
process.env.TMPDIR = scratchHome()
removeAbandoned('test')
/** The temporary folder of every test too, so that nothing stays behind; a database's own account enters it. */
const scratch = mkdtempSync(join(tmpdir(), `tollgate-test-${process.pid}-`))
chmodSync(scratch, 0o755)
const servers: DatabaseServer[] = []

/** For tests that are over before most of what the engine compiles was worth it: a fifth of their computing was that. */
const lateCompilers = {
  BUN_JSC_thresholdForJITAfterWarmUp: '2000',
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '50000',
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: '50000',
  BUN_JSC_thresholdForOptimizeSoon: '50000',
}

// Ends what is running now; the run then winds up in its usual way.
const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort())

let passed = 0
const faults: string[] = []
try {
  const files = findTestFiles()
  if (files.length === 0) faults.push(`no test file matches ${filters.join(' ')}`)
  for (const { name, suites } of installMissing()) {
    if (suites) faults.push(`${name} is not here and could not be installed: ${suites} cannot run`)
  }
  const environment = ownVariables()
  const program = join(scratch, 'tollgate')
  const isStarted = files.some(file => file.startsWith('test/'))
  if (isStarted) environment.TOLLGATE_TEST_PROGRAM = program
  // Nobody waits for it: what it finds is told at the end, like everything else.
  const checked = filters.length === 0 ? runCheck({ ...environment }) : undefined
  await Promise.all([
    files.length > 0 ? startServices(environment) : undefined,
    isStarted ? compileServer(program, 'quick') : undefined,
  ])

  const began = lookAtCores()
  const brief = { ...environment, ...lateCompilers }
  const environmentOf = (file: string) => (isBrief(file) ? brief : environment)
  const results = await runAll(files, { root, scratch, environmentOf, signal: interrupt.signal })
  await checked
  collect(results)
  printTimes(results)
  console.log(`Of ${cores} cores ${idleCores(began, lookAtCores()).toFixed(2)} had nothing to do meanwhile.`)
  printFaults(results)
} catch (error) {
  faults.push(`the run itself broke: ${error instanceof Error ? error.stack : error}`)
} finally {
  await Promise.allSettled(servers.map(server => server.close()))
  rmSync(scratch, { recursive: true, force: true })
}
if (interrupt.signal.aborted) faults.push('the run was interrupted')
if (faults.length > 0) console.log(`\nFailed:\n${faults.map(fault => `  ${fault}`).join('\n')}`)
console.log(`${passed} passed, ${faults.length} failed`)
process.exit(faults.length === 0 ? 0 : 1)

function findTestFiles(): string[] {
  const pattern = new Bun.Glob('{contract,server,console,scripts,bench,test}/**/*.test.{ts,tsx}')
  const files = [...pattern.scanSync({ cwd: root })].sort()
  return filters.length === 0 ? files : files.filter(file => filters.some(filter => file.includes(filter)))
}

/** All kinds at once, so that at no time one is at work alone: what mostly waits takes little from the others. */
async function runAll(
  files: readonly string[],
  run: Omit<TestRun, 'processes' | 'spare'>,
): Promise<FileResult[]> {
  const { busy = [], heavy = [], waiting = [] } = Object.groupBy(files, kindOf)
  const running = [
    // One more than there are cores, for half of its time a test waits; and more while they all happen to wait.
    runTestFiles(arrangeTestFiles(busy), { ...run, processes: cores + 1, spare: cores + 1 }),
    runTestFiles(longestFirst(heavy), { ...run, processes: 1 }),
    // Two: one after the other they would still wait when all the others are done.
    runTestFiles(longestFirst(waiting), { ...run, processes: 2, spare: 1 }),
  ]
  return (await Promise.all(running)).flat()
}

/** Our own variables only: a developer's DATABASE_URL or proxy must not reach a test. */
function ownVariables(): Record<string, string> {
  const kept = /^(PATH|HOME|USER|SHELL|LANG|LC_.*|TERM|TZ|NO_COLOR|npm_config_.*)$/i
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && kept.test(name) ? [[name, value] as const] : [],
  )
  const environment: Record<string, string> = { ...Object.fromEntries(inherited), CI: '1', TMPDIR: scratch }
  if (process.stdout.isTTY && !process.env.NO_COLOR) environment.FORCE_COLOR = '1'
  if (isWhole) environment.TOLLGATE_TEST_WHOLE = '1'
  const chromium = findChromium()
  if (chromium) environment.TOLLGATE_TEST_CHROMIUM = chromium
  return environment
}

/** Says in the environment where they are. */
async function startServices(environment: Record<string, string>): Promise<void> {
  environment.TOLLGATE_TEST_SQLITE = await makeSqliteTemplate(scratch)
  const starts = { POSTGRES: startPostgres, MARIADB: startMariadb, REDIS: startRedis }
  const started = Object.entries(starts).map(async ([name, start]) => {
    // A program that is not here has been reported already.
    const server = await Promise.try(start).catch((error: Error) => console.error(error.message))
    if (!server) return
    servers.push(server)
    if (name !== 'REDIS') await withTemplate(server)
    environment[`TOLLGATE_TEST_${name}`] = server.url
  })
  await Promise.all(started)
}

async function runCheck(env: Record<string, string>): Promise<void> {
  const stdio = ['ignore', 'inherit', 'inherit'] as const
  const { signal } = interrupt
  const check = Bun.spawn([process.execPath, 'scripts/check.ts'], {
    cwd: root,
    env,
    signal,
    stdio: [...stdio],
  })
  if ((await check.exited) === 0) passed++
  else faults.push('check')
}

function collect(results: readonly FileResult[]): void {
  for (const { file, passed: good, failed, skipped } of results) {
    passed += good
    faults.push(
      ...failed.map(name => `${file}: ${name}`),
      ...skipped.map(name => `${file}: ${name} (skipped)`),
    )
  }
}

function printTimes(results: readonly FileResult[]): void {
  const slowest = [...results].sort((a, b) => b.seconds - a.seconds)
  console.log(`\n${tellsAllTimes ? 'All' : 'Slowest'} files, and what their programs had of a core:`)
  for (const { file, seconds, computed } of tellsAllTimes ? slowest : slowest.slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(7)} s ${computed.toFixed(1).padStart(6)} s  ${file}`)
}

/** Once more at the end, where whoever sees only the end of a long output finds it. */
function printFaults(results: readonly FileResult[]): void {
  const MOST_LINES = 100
  for (const { file, failed, output } of results.filter(one => one.failed.length > 0)) {
    const told = output.split('\n').filter(line => !/^\((pass|skip)\)/.test(line))
    console.log(`\nWhat ${file} said (${failed.length} failed):`)
    console.log(told.slice(0, MOST_LINES).join('\n').trim())
  }
}
