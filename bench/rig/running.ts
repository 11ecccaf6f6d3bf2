// Everything a rig starts or makes, so that nothing of it outlives the run.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processTree, readStat } from './process-cost.ts'

const ENDS_WITHIN_MS = 15_000
const KEPT_OUTPUT = 8000

export interface Running {
  readonly pid: number
  /** The last of what it has printed. */
  output(): string
  readonly exited: Promise<number>
  /** SIGTERM, and SIGKILL for whatever is left after a while. */
  stop(): Promise<void>
}

interface Options {
  readonly cwd?: string
  /** Added to the clean environment. */
  readonly env?: Record<string, string>
  /** The one core it may run on, with everything it starts. */
  readonly core?: number
}

const started = new Set<Running>()
const folders = new Set<string>()
let isOver = false

export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `tollgate-bench-${name}-`))
  folders.add(folder)
  return folder
}

export function start(command: readonly string[], { cwd, env = {}, core }: Options = {}): Running {
  if (isOver) throw new Error('The run is over')
  const pinned = core === undefined ? [...command] : ['taskset', '-c', String(core), ...command]
  const child = Bun.spawn(pinned, {
    cwd: cwd ?? tmpdir(),
    env: { ...cleanEnvironment(), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let printed = ''
  const collect = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const bytes of stream)
      printed = (printed + decoder.decode(bytes, { stream: true })).slice(-KEPT_OUTPUT)
  }
  const collected = Promise.allSettled([collect(child.stdout), collect(child.stderr)])
  const running: Running = {
    pid: child.pid,
    output: () => printed,
    exited: child.exited.then(async code => {
      await Promise.race([collected, Bun.sleep(1000)])
      return code
    }),
    async stop() {
      const tree = processTree(child.pid).map(pid => ({ pid, startedAt: readStat(pid)?.startedAt }))
      child.kill('SIGTERM')
      await Promise.race([child.exited, Bun.sleep(ENDS_WITHIN_MS)])
      for (const { pid, startedAt } of tree)
        if (startedAt !== undefined && readStat(pid)?.startedAt === startedAt) killQuietly(pid)
      await running.exited
      started.delete(running)
    },
  }
  started.add(running)
  return running
}

/** Runs to its end; answers with what it printed, and throws with it when it fails or takes too long. */
export async function runToEnd(
  command: readonly string[],
  limitMs: number,
  options: Options = {},
): Promise<string> {
  const running = start(command, options)
  const code = await Promise.race([running.exited, Bun.sleep(limitMs)])
  if (code === undefined) await running.stop()
  started.delete(running)
  if (code === 0) return running.output()
  const what = code === undefined ? `took more than ${limitMs} ms` : `ended with ${code}`
  throw new Error(`${command.join(' ')} ${what}:\n${running.output()}`)
}

/** Waits for a 200 from the address; throws when the process ends first or the time is up. */
export async function untilAnswers(running: Running, url: string, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs
  let ended: number | undefined
  while (ended === undefined && performance.now() < deadline) {
    const isFine = await fetch(url, { keepalive: false }).then(
      async response => {
        await response.arrayBuffer()
        return response.status === 200
      },
      () => false,
    )
    if (isFine) return
    ended = (await Promise.race([running.exited, Bun.sleep(4)])) ?? undefined
  }
  const what = ended === undefined ? `did not answer within ${limitMs} ms` : `ended with ${ended}`
  throw new Error(`The process that was to answer ${url} ${what}:\n${running.output()}`)
}

/** Stops and removes it all; from here on nothing starts. */
export async function endEverything(): Promise<void> {
  isOver = true
  await Promise.allSettled([...started].map(running => running.stop()))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  folders.clear()
}

const own = [
  ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'WORKERS', 'BODY_MEMORY'],
  ...['SECRET_KEY', 'ROOT_PASSWORD', 'TRUSTED_PROXIES', 'LOG_LEVEL'],
]

/** Neither this npm run nor the developer's own settings must reach what is measured. */
function cleanEnvironment(): Record<string, string | undefined> {
  const ours = new RegExp(`^(${own.join('|')})$`)
  const npms = /^(NODE_ENV|INIT_CWD|npm_(lifecycle|package|command|execpath|node_execpath|config_local_).*)/
  const path = (process.env.PATH ?? '').split(':').filter(folder => !/node_modules|node-gyp-bin/.test(folder))
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name) && !npms.test(name))
  return { ...Object.fromEntries(kept), PATH: path.join(':') }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself a moment ago.
  }
}
