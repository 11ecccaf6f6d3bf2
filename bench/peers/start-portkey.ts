import { join } from 'node:path'
import { needProgram } from '../../test/services/find-program.ts'
import { freePort } from '../../test/services/free-port.ts'
import { type Running, runToEnd, scratchFolder, start, untilAnswers } from '../rig/running.ts'

const PACKAGE = '@portkey-ai/gateway'
export const PORTKEY_VERSION = '1.15.2'
/** What it needs is taken as it stood some days after that version came out: later packages are not its doing. */
const NEEDS_BEFORE = '2026-09-01'
const INSTALL_MS = 300_000

/** The open gateway of Portkey as its makers publish it, on Node, in front of whatever its callers name. */
export async function startPortkey(core: number): Promise<Running & { url: string }> {
  const folder = scratchFolder('portkey')
  const wanted = `${PACKAGE}@${PORTKEY_VERSION}`
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--before', NEEDS_BEFORE, wanted]
  await runToEnd([needProgram('npm'), ...install], INSTALL_MS, { cwd: folder })
  const program = join(folder, 'node_modules', PACKAGE, 'build', 'start-server.js')
  const port = await freePort()
  const running = start([needProgram('node'), program, `--port=${port}`, '--headless'], {
    core,
    // Else it calls nobody at an address of this machine.
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(running, url, 30_000)
  return { ...running, url }
}

/** How its callers say whom to ask. */
export function portkeyHeaders(upstream: string): Record<string, string> {
  return { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` }
}
