import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/services/free-port.ts'
import { compareUnderLoad, type Target } from '../rig/compare-under-load.ts'
import { cores, needLoadTools } from '../rig/need-tools.ts'
import type { Table } from '../rig/print-table.ts'
import { type Running, scratchFolder, start, untilAnswers } from '../rig/running.ts'
import { startGateway } from '../rig/start-gateway.ts'
import { startNginx } from '../rig/start-nginx.ts'

const load = { connections: 64, seconds: 5, rounds: 3, core: cores.load }

/** GET /api/status on one core, beside nginx and a bare Bun.serve with the same body. */
export async function measureStatus(): Promise<Table> {
  needLoadTools()
  const gateway = await startGateway({ core: cores.server })
  const body = await bodyOf(`${gateway.url}/api/status`)
  const nginx = await startNginx({
    locations: 'location = /status.json { default_type application/json; }',
    files: { 'status.json': body },
    core: cores.server,
  })
  const floor = await startFloor(body)
  const targets: Target[] = [
    { name: 'gateway', url: `${gateway.url}/api/status`, pid: gateway.pid },
    { name: 'bare Bun.serve', url: floor.url, pid: floor.pid },
    { name: 'nginx, static file', url: `${nginx.url}/status.json`, pid: nginx.pid },
  ]
  for (const { name, url } of targets) {
    if ((await bodyOf(url)) !== body) throw new Error(`${name} does not serve the same body`)
  }
  const results = await compareUnderLoad(targets, load)
  await Promise.all([gateway.stop(), nginx.stop(), floor.stop()])

  const limit = results.at(-1)
  return {
    title: `GET /api/status, ${Buffer.byteLength(body)} bytes, one core, ${load.connections} connections, median of ${load.rounds} × ${load.seconds} s`,
    columns: [
      '',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'core busy',
      'CPU µs/request',
      'requests/core-s',
      '× nginx',
    ],
    rows: results.map(({ name, perSecond, medianMs, p99Ms, microsecondsPerRequest }) => [
      name,
      Math.round(perSecond).toLocaleString('en'),
      medianMs.toFixed(2),
      p99Ms.toFixed(2),
      `${Math.round((perSecond * microsecondsPerRequest) / 10_000)} %`,
      microsecondsPerRequest.toFixed(1),
      Math.round(1e6 / microsecondsPerRequest).toLocaleString('en'),
      ((limit?.microsecondsPerRequest ?? 0) / microsecondsPerRequest).toFixed(2),
    ]),
    notes: [
      `servers on core ${cores.server}, wrk on core ${cores.load}; CPU is that of all the server's processes`,
      'requests/core-s: what a core that never waits for wrk would do; × nginx: the ratio of those',
    ],
  }
}

async function startFloor(body: string): Promise<Running & { url: string }> {
  const file = join(scratchFolder('floor'), 'status.json')
  writeFileSync(file, body)
  const port = await freePort()
  const program = Bun.fileURLToPath(new URL('../floor-status.ts', import.meta.url))
  const running = start([process.execPath, program, String(port), file], { core: cores.server })
  const url = `http://127.0.0.1:${port}/`
  await untilAnswers(running, url, 10_000)
  return { ...running, url }
}

async function bodyOf(url: string): Promise<string> {
  return (await fetch(url, { keepalive: false })).text()
}
