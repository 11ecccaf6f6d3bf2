// Runs each test file in a process of its own, so that a crash, a leak or an endless loop in one costs the
// others nothing, and answers what happened in each.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idleCores, lookAtCores } from './idle-cores.ts'
import { type FileResult, readJunit } from './read-junit.ts'

export type TestRun = {
  readonly root: string
  /** For reports and outputs; the caller removes it. */
  readonly scratch: string
  readonly environmentOf: (file: string) => Record<string, string>
  readonly processes: number
  /** So many more, each begun only while the cores have something left for it. */
  readonly spare?: number
  readonly signal: AbortSignal
}

type Told = Pick<FileResult, 'passed' | 'failed' | 'skipped'>

/** For what hangs: on a machine whose cores others use too, a test takes thirty times as long as alone. */
const longestTestMs = 600_000
const longestFileMs = 1_800_000

/** Less than a test takes, on the whole: with one more some of it is used, and little has to wait for another. */
const ENOUGH_OF_A_CORE = 0.25

export async function runTestFiles(files: readonly string[], run: TestRun): Promise<FileResult[]> {
  const waiting = [...files]
  const results: FileResult[] = []
  const isLeft = () => waiting.length > 0 && !run.signal.aborted
  const runNext = async () => {
    const file = waiting.shift()
    if (file) results.push(await runTestFile(file, run))
  }
  const work = async () => {
    while (isLeft()) await runNext()
  }
  const fillIdle = async (spare: number) => {
    const running = new Set<Promise<void>>()
    while (isLeft()) {
      const before = lookAtCores()
      await Bun.sleep(1000)
      if (running.size >= spare || idleCores(before, lookAtCores()) < ENOUGH_OF_A_CORE) continue
      const next = runNext().finally(() => running.delete(next))
      running.add(next)
    }
    await Promise.all(running)
  }
  await Promise.all([...Array.from({ length: run.processes }, work), fillIdle(run.spare ?? 0)])
  return results
}

async function runTestFile(
  file: string,
  { root, scratch, environmentOf, signal }: TestRun,
): Promise<FileResult> {
  const name = join(scratch, file.replaceAll('/', '_'))
  const output = openSync(`${name}.txt`, 'w')
  const began = performance.now()
  const flags = ['--no-env-file', '--no-orphans', `--timeout=${longestTestMs}`]
  const report = ['--reporter=junit', `--reporter-outfile=${name}.xml`]
  const child = Bun.spawn([process.execPath, 'test', ...flags, ...report, `./${file}`], {
    cwd: root,
    env: environmentOf(file),
    stdio: ['ignore', output, output],
    timeout: longestFileMs,
    signal,
  })
  const code = await child.exited
  closeSync(output)
  const printed = readFileSync(`${name}.txt`, 'utf8')
  process.stdout.write(printed)

  const seconds = (performance.now() - began) / 1000
  const computed = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
  const told = readReport(`${name}.xml`)
  const fault = findFault(told, code, seconds)
  const failed = fault ? [...told.failed, fault] : told.failed
  return { ...told, file, seconds, computed, output: printed, failed }
}

/** What is wrong with the file as a whole, beyond the tests that failed. */
function findFault(told: Told, code: number, seconds: number): string | undefined {
  if (seconds * 1000 >= longestFileMs) return `did not end within ${longestFileMs / 1000} s`
  if (code > 1) return `ended with ${code}`
  if (told.passed + told.failed.length + told.skipped.length === 0) return 'did not load or has no tests'
  return code === 1 && told.failed.length === 0 ? 'failed outside its tests' : undefined
}

function readReport(path: string): Told {
  try {
    return readJunit(readFileSync(path, 'utf8'))
  } catch {
    return { passed: 0, failed: [], skipped: [] }
  }
}
