import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'

/** One real database server on a loopback port that a test can take away and bring back. */
export type DatabaseServer = {
  readonly url: string
  /** Ends the server: in order, or as a power cut would. Its data stays. */
  stop(how?: 'orderly' | 'crash'): Promise<void>
  /** Brings it back on the same port with the same data. */
  start(): Promise<void>
  /** Ends it and removes its data. */
  close(): Promise<void>
}

export type ServerPlan = {
  readonly name: string
  /** The system account to run under when we are root: PostgreSQL and MariaDB refuse root. */
  readonly account?: string
  /** Fills the empty data folder, before the first start. */
  readonly prepare?: (folder: string) => string[]
  readonly command: (folder: string, port: number) => string[]
  /** What the server writes once it takes connections. */
  readonly readyLine: RegExp
  readonly orderly: NodeJS.Signals
  readonly crash: NodeJS.Signals
  readonly url: (port: number) => string
}

export async function startDatabase(plan: ServerPlan): Promise<DatabaseServer> {
  removeAbandoned(plan.name)
  const folder = mkdtempSync(join(tmpdir(), `tollgate-${plan.name}-${process.pid}-`))
  if (plan.account && isRoot()) spawnSync('chown', [plan.account, folder])
  if (plan.prepare) runToEnd(plan, asAccount(plan, plan.prepare(folder)), folder)
  let port = 0
  let running: Bun.Subprocess | undefined

  const stop = async (how: 'orderly' | 'crash' = 'orderly') => {
    running?.kill(how === 'crash' ? plan.crash : plan.orderly)
    await running?.exited
    running = undefined
  }
  const start = async () => {
    if (!running) running = await launch(plan, folder, port)
  }
  const close = async () => {
    await stop('crash')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }

  // Between our look for a free port and the server's bind another process may take it.
  for (let attempt = 1; !running; attempt++) {
    port = await freePort()
    try {
      await start()
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
  return { url: plan.url(port), stop, start, close }
}

async function launch(plan: ServerPlan, folder: string, port: number): Promise<Bun.Subprocess> {
  const child = Bun.spawn(asAccount(plan, plan.command(folder, port)), {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  child.unref()
  let log = ''
  const ready = Promise.withResolvers<void>()
  const follow = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      log = (log + decoder.decode(bytes, { stream: true })).slice(-8_000)
      if (plan.readyLine.test(log)) ready.resolve()
    }
  }
  follow(child.stdout).catch(ready.reject)
  follow(child.stderr).catch(ready.reject)
  child.exited.then(code => ready.reject(new Error(`${plan.name} ended with ${code}:\n${log}`)), ready.reject)
  await ready.promise
  return child
}

/**
 * As root, takes the server's own account; on Linux also ties the server's life to ours, so a killed test
 * run leaves nothing behind.
 */
function asAccount(plan: ServerPlan, command: string[]): string[] {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined
  if (!setpriv) return command
  const account =
    plan.account && isRoot() ? [`--reuid=${plan.account}`, `--regid=${plan.account}`, '--init-groups'] : []
  return [setpriv, ...account, `--pdeathsig=${plan.orderly.slice(3)}`, '--', ...command]
}

function runToEnd(plan: ServerPlan, command: string[], folder: string): void {
  const [program = '', ...rest] = command
  const result = spawnSync(program, rest, { cwd: folder, encoding: 'utf8' })
  if (result.status !== 0) {
    throw new Error(`${plan.name} could not make its data folder:\n${result.stdout}${result.stderr}`)
  }
}

/** A run that is killed ends without a last word, so its folders are removed by whoever comes next. */
export function removeAbandoned(name: string): void {
  for (const entry of readdirSync(tmpdir())) {
    const owner = new RegExp(`^tollgate-${name}-(\\d+)-`).exec(entry)?.[1]
    if (!owner || isAlive(Number(owner))) continue
    try {
      rmSync(join(tmpdir(), entry), { recursive: true, force: true })
    } catch {
      // Another account's, or a disk was mounted in it: not ours to mend.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
