import { needProgram } from '../../test/services/find-program.ts'
import type { AlonePlan, AloneSeen } from '../relay/client/call-alone.ts'
import { plainLoad, plainLoadTitle, warmUp, writeScript } from '../relay/measure-plain.ts'
import { type Ask, askOpenai } from '../relay/requests.ts'
import { runClient } from '../relay/run-client.ts'
import { asServer, type Server, startStage } from '../relay/start-stage.ts'
import { type Comparison, compareUnderLoad } from '../rig/compare-under-load.ts'
import { cores } from '../rig/need-tools.ts'
import type { Table } from '../rig/print-table.ts'
import { runToEnd } from '../rig/running.ts'
import { PORTKEY_VERSION, portkeyHeaders, startPortkey } from './start-portkey.ts'

/** Some of Portkey's answers take longer than the load tool waits by itself. */
const PATIENCE_SECONDS = 30
const alone = { blocks: 20, callsPerBlock: 100, warmUp: 5000 }

/** Plain calls through another gateway that people run, in the same minutes on the same core. */
export async function measurePeers(): Promise<Table> {
  const stage = await startStage()
  const portkey = await startPortkey(cores.server)
  const peer = asServer(`Portkey ${PORTKEY_VERSION}`, portkey, portkey.url)
  // Everybody is sent the same bytes; whom it does not concern does not look at what is Portkey's.
  const plain = askOpenai(stage.key, { stream: false })
  const ask = { ...plain, headers: { ...plain.headers, ...portkeyHeaders(stage.upstream.url) } }
  await warmUp(stage, ask)
  await warmUp({ ...stage, gateway: peer }, ask, PATIENCE_SECONDS)
  const crowd = await loadEach([stage.nginx, peer, stage.gateway], ask)
  const singles = await callEach([stage.upstream, stage.nginx, peer, stage.gateway], ask)
  const node = (await runToEnd([needProgram('node'), '--version'], 5000)).trim()
  await portkey.stop()
  await stage.stop()
  return {
    title: `POST /v1/chat/completions, one core, ${plainLoadTitle}; then one at a time`,
    columns: [
      '',
      'requests/s',
      '× Portkey',
      'p50 ms',
      'p99 ms',
      'CPU µs/request',
      'alone p50 added ms',
      'p99',
    ],
    rows: crowd.map(seen => rowOf(seen, crowd[1], singles)),
    notes: [
      'the gateway with key, hold, charge on disk (SQLite, FULL), log and sums; Portkey asks for no key and keeps no books',
      `Portkey as published, on Node ${node}; one process each`,
      `added: less the same quantile of the upstream called directly, ${alone.blocks * alone.callsPerBlock} calls each`,
    ],
  }
}

function loadEach(servers: readonly Server[], ask: Ask): Promise<Comparison[]> {
  const targets = servers.map(server => ({ ...server, url: server.url + ask.path }))
  return compareUnderLoad(targets, {
    ...plainLoad,
    patienceSeconds: PATIENCE_SECONDS,
    script: writeScript(ask),
  })
}

/** What each adds to a call of the first. */
async function callEach([first, ...others]: readonly Server[], ask: Ask): Promise<Map<string, AloneSeen>> {
  if (!first) return new Map()
  const plan: AlonePlan = { ports: [first, ...others].map(({ port }) => port), ask, ...alone }
  const [direct, ...through] = await runClient<AloneSeen[]>('call-alone', plan)
  const added = (one: AloneSeen): AloneSeen => ({
    ...one,
    wholeP50: one.wholeP50 - (direct?.wholeP50 ?? Number.NaN),
    wholeP99: one.wholeP99 - (direct?.wholeP99 ?? Number.NaN),
  })
  return new Map(through.map((one, at) => [others[at]?.name ?? '', added(one)]))
}

function rowOf(
  { name, perSecond, medianMs, p99Ms, microsecondsPerRequest }: Comparison,
  peer: Comparison | undefined,
  singles: Map<string, AloneSeen>,
): string[] {
  const single = singles.get(name)
  return [
    name,
    Math.round(perSecond).toLocaleString('en'),
    (perSecond / (peer?.perSecond ?? Number.NaN)).toFixed(1),
    medianMs.toFixed(2),
    p99Ms.toFixed(2),
    microsecondsPerRequest.toFixed(1),
    single?.wholeP50.toFixed(3) ?? '',
    single?.wholeP99.toFixed(3) ?? '',
  ]
}
