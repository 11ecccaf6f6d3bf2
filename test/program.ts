import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOnFreshConnections } from './fresh-connections.ts'
import { copySqliteTemplate } from './services/databases.ts'
import { isFree } from './services/free-port.ts'

/** `npm test` makes an executable, which starts in half the time; a test file run by itself takes the sources. */
const executable = process.env.TOLLGATE_TEST_PROGRAM
export const COMMAND: readonly string[] = executable
  ? [executable]
  : [process.execPath, join(import.meta.dir, '..', 'server', 'main.ts')]
export const ROOT_PASSWORD = 'correct-horse'

/** What `npm test` tells the engine of the tests it tells that of their programs too. */
const engineOptions = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('BUN_JSC_')),
)

export interface Program {
  readonly url: string
  readonly dataDir: string
  readonly pid: number
  readonly setupToken: string | undefined
  /** Everything it has printed so far. */
  output(): string
  workerPids(): number[]
  exited: Promise<number>
  /** SIGTERM, then the exit code. */
  stop(): Promise<number>
  kill(signal: NodeJS.Signals): void
}

const folders: string[] = []

export function freshDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-program-'))
  folders.push(folder)
  return folder
}

/** One in which the tables were made already: the start of a program that is not itself looked at is shorter. */
export async function preparedDataDir(): Promise<string> {
  const folder = freshDataDir()
  await copySqliteTemplate(folder)
  return folder
}

process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The real program as an operator starts it, on a port of the system's choosing, with an empty data directory. */
export async function startProgram(environment: Record<string, string> = {}): Promise<Program> {
  const port = Number(environment.PORT ?? 0)
  // Who had it and was killed has it for as long as a disk does not answer one of its threads.
  await until(() => port === 0 || isFree(port))
  const program = spawnProgram(environment)
  const listening = /listening on (http:\/\/\S+)/
  for (;;) {
    const found = listening.exec(program.output())
    if (found?.[1] && program.output().includes('database')) {
      // The set-up link, when there is one, is printed in the same breath.
      await Bun.sleep(10)
      const setupToken = /setup\?token=(\w+)/.exec(program.output())?.[1]
      return { ...program, url: found[1], setupToken }
    }
    const ended = await Promise.race([program.exited, Bun.sleep(20)])
    if (ended !== undefined) throw new Error(`the program ended with ${ended}:\n${program.output()}`)
  }
}

/** Ends it, however the work ends. */
export async function withProgram(
  environment: Record<string, string>,
  work: (program: Program) => Promise<void>,
) {
  const program = await startProgram(environment)
  try {
    await work(program)
  } finally {
    await program.stop()
  }
}

/** Starts the program without waiting for it to listen: for starts that must fail. */
export function spawnProgram(environment: Record<string, string> = {}, command: readonly string[] = []) {
  callOnFreshConnections()
  const dataDir = environment.DATA_DIR ?? freshDataDir()
  const own = { PATH: process.env.PATH ?? '', PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir }
  const child = Bun.spawn([...COMMAND, ...command], {
    env: { ...engineOptions, ...own, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let printed = ''
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) printed += decoder.decode(chunk, { stream: true })
  }
  const drained = Promise.all([collect(child.stdout), collect(child.stderr)])
  const exited = child.exited.then(async code => {
    await drained
    return code
  })
  return {
    dataDir,
    pid: child.pid,
    output: () => printed,
    workerPids: () => childrenOf(child.pid),
    exited,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  }
}

export function childrenOf(pid: number): number[] {
  return listChildren(pid).trim().split(/\s+/).filter(Boolean).map(Number)
}

/** Linux says it in a hundredth of what `ps` takes, which reads of every process on the machine. */
function listChildren(pid: number): string {
  const threads = `/proc/${pid}/task`
  try {
    return readdirSync(threads)
      .map(thread => readFileSync(`${threads}/${thread}/children`, 'utf8'))
      .join(' ')
  } catch {
    return Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid)]).stdout.toString()
  }
}

/** Polls until something is so. Fails by the test's own time limit, never by a guess at how long it takes. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  // What takes seconds is looked at less often: a look may be a call of the program, which has others beside it.
  for (let pause = 20; ; pause = Math.min(100, pause + 2)) {
    const found = await look()
    if (found) return found
    await Bun.sleep(pause)
  }
}

/** Stopped first, so that nobody takes the place of a worker that is gone. */
export function killAll(program: Program): void {
  program.kill('SIGSTOP')
  for (const pid of program.workerPids()) process.kill(pid, 'SIGKILL')
  program.kill('SIGKILL')
}
