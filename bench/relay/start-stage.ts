import { freePort } from '../../test/services/free-port.ts'
import type { Target } from '../rig/compare-under-load.ts'
import { cores, needLoadTools } from '../rig/need-tools.ts'
import { processTree } from '../rig/process-cost.ts'
import { type Running, runToEnd, scratchFolder, start, untilAnswers } from '../rig/running.ts'
import { startGateway } from '../rig/start-gateway.ts'
import { startNginx } from '../rig/start-nginx.ts'
import { SECRET_KEY, seedStore } from './seed-store.ts'

/** The upstream and what stands in front of it. */
export interface Stage {
  readonly upstream: Server
  readonly nginx: Server
  readonly floor: Server
  readonly paying: Server
  readonly gateway: Server
  /** The process of the gateway that carries the requests. */
  readonly workerPid: number
  /** What a client of the gateway proves itself with. */
  readonly key: string
  stop(): Promise<void>
}

export interface Server extends Target {
  readonly port: number
}

/** This process, and what it starts without saying where, runs beside the load. */
export async function leaveServerCore(): Promise<void> {
  await runToEnd(['taskset', '-cp', String(cores.load), String(process.pid)], 5000)
}

const upstreamProgram = Bun.fileURLToPath(new URL('./upstream/serve.ts', import.meta.url))
const floorProgram = Bun.fileURLToPath(new URL('../floor.ts', import.meta.url))
const payingProgram = Bun.fileURLToPath(new URL('../paying-floor.ts', import.meta.url))
export const FLOOR = 'bare Bun relay'
/** As many outgoing requests as the gateway allows itself. */
const manyRequests = { BUN_CONFIG_MAX_HTTP_REQUESTS: '65336' }

/** What is measured on one core, the upstream on the other. */
export async function startStage(options: { databaseUrl?: string } = {}): Promise<Stage> {
  needLoadTools()
  await leaveServerCore()
  const upstream = await startBun('upstream', [upstreamProgram], cores.load, '/')
  const floor = await startBun(FLOOR, [floorProgram, upstream.url], cores.server, '/floor-is-up')
  const nginx = await startProxy(upstream)
  const environment = {
    DATA_DIR: scratchFolder('data'),
    ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl }),
  }
  const key = await seedStore(environment, upstream.url)
  const pays = [payingProgram, upstream.url, scratchFolder('paying'), key]
  const paying = await startBun('the same, paid on disk', pays, cores.server, '/floor-is-up')
  const gateway = await startGateway({
    core: cores.server,
    env: { ...environment, SECRET_KEY, LOG_LEVEL: 'warn' },
  })
  const workerPid = processTree(gateway.pid)[1]
  if (workerPid === undefined) throw new Error('The gateway has no worker')
  return {
    upstream,
    floor,
    paying,
    nginx: asServer('nginx', nginx, nginx.url),
    gateway: asServer('gateway', gateway, gateway.url),
    workerPid,
    key,
    async stop() {
      for (const running of [gateway, nginx, paying, floor, upstream]) await running.stop()
    },
  }
}

async function startBun(
  name: string,
  [program = '', ...rest]: readonly string[],
  core: number,
  probe: string,
): Promise<Server & Running> {
  const port = await freePort()
  const command = [process.execPath, program, String(port), ...rest]
  const running = start(command, { core, env: manyRequests })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(running, url + probe, 10_000)
  return { ...running, ...asServer(name, running, url) }
}

/** A proxy and no more: connections kept on both sides, every byte handed on when it comes. */
function startProxy(upstream: Server): Promise<Running & { url: string }> {
  return startNginx({
    core: cores.server,
    upstreams: `upstream vendor {
    server 127.0.0.1:${upstream.port};
    keepalive 256;
    keepalive_requests 1000000000;
  }`,
    locations: `location / {
      proxy_pass http://vendor;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_buffering off;
    }`,
  })
}

export function asServer(name: string, { pid }: Running, url: string): Server {
  return { name, url, pid, port: Number(new URL(url).port) }
}
