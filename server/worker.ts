import { join } from 'node:path'
import { apiHandlers } from './api-handlers.ts'
import { connectStore } from './connect-store.ts'
import { drain, endWhenTold } from './end-worker.ts'
import type { Env } from './env.ts'
import { type Peer, REST_SECONDS } from './http/exchange.ts'
import { FrontDoor } from './http/front-door.ts'
import { startClosingBooks } from './jobs/close-books.ts'
import { startDeliveringLogs } from './jobs/deliver-logs.ts'
import { journalFolder, keepLedger } from './jobs/keep-ledger.ts'
import { startPollingTasks } from './jobs/poll-tasks.ts'
import { startReminding } from './jobs/remind-quota.ts'
import { startRenewingKeys } from './jobs/renew-keys.ts'
import { startSweeping } from './jobs/sweep.ts'
import { startTestingChannels } from './jobs/test-channels.ts'
import { prepareJournals } from './ledger/orphan-journals.ts'
import { log } from './log.ts'
import { openMcpTester } from './mcp/list-tools.ts'
import { openMcp } from './mcp/open-mcp.ts'
import { counter } from './metrics.ts'
import { openTracer } from './open-tracer.ts'
import { createOutbound } from './outbound/client.ts'
import { warmOutbound } from './outbound/warm-outbound.ts'
import { endTimes } from './process-messages.ts'
import { openChannelTester } from './relay/channel-test/test-channel.ts'
import { clientSocket } from './relay/client-socket.ts'
import { openRelay } from './relay/open-relay.ts'
import { warmPasswords } from './services/accounts/passwords.ts'
import type { App } from './services/app.ts'
import { BackgroundWork } from './services/background-work.ts'
import { endLogTails } from './services/logs/log-tail.ts'
import { tellOfDisabled } from './services/notices/channel-notices.ts'
import { allArrived } from './services/notices/on-their-way.ts'
import { Setup } from './services/setup.ts'
import { inDataDir } from './start-problems.ts'
import { steadyClock } from './steady-clock.ts'
import { dropRests } from './store/channel-rests.ts'
import { tellOfDamage } from './store/sqlite/note-damage.ts'
import { SupervisorLink } from './supervisor-link.ts'
import { version } from './version.ts'
import { waitForPort } from './wait-for-port.ts'
import { watchProcess } from './watch-process.ts'

/** What is kept of calls is worth no long farewell. */
const CONTENTS_MS = 5000
const LARGEST_BODY = 512 * 1024 * 1024

const unhandled = counter('tollgate_unhandled_errors_total', 'Errors nobody was waiting for.')
unhandled.increment({}, 0)

/** One worker: the store, the services, the front door, until it is told to end. `former` died in its place. */
export async function runWorker(env: Env, secretKey: string, former?: string): Promise<void> {
  process.on('unhandledRejection', error => {
    unhandled.increment()
    log.error('an error nobody was waiting for', { error })
  })

  // What everything works with.
  const link = new SupervisorLink()
  inDataDir(env.dataDir, () => prepareJournals(journalFolder(env.dataDir)))
  const warm = warmOutbound()
  const store = await connectStore(env, {
    secretKey,
    redisUrl: env.redisUrl,
    neighbours: bus => link.transport(bus),
  })
  const now = (): number => Math.floor(Date.now() / 1000)
  const steadyNow = steadyClock(now)
  const { settings } = store
  const outbound = createOutbound({ allowPrivate: () => settings.get('AllowPrivateUpstreams') })
  const books = await keepLedger(store, env.dataDir, now)
  // What it left alone is asked again by this one, which knows nothing of it.
  if (former) await dropRests(store, former)
  const { generateDefaultToken } = env
  const app: App = {
    ...{ store, settings, ledger: books.ledger, outbound, generateDefaultToken },
    ...{ version, startedAt: now(), now },
  }
  const setup = new Setup(app)
  await prepareAccounts(setup, env.rootPassword)
  const relay = await openRelay({
    store,
    ledger: books.ledger,
    outbound,
    now,
    steadyNow,
    nodeName: books.nodeName,
    onDisabled: disabled => tellOfDisabled(app, disabled),
    tracer: openTracer(env.otel),
  })

  const mcp = await openMcp(relay.parts, call => link.cancelElsewhere(call))
  link.onCancelled = call => mcp.cancel(call)

  // What goes on by itself.
  const work = new BackgroundWork(app)
  const tester = openChannelTester(relay.parts)
  const stopSweeping = startSweeping({ ...app, steadyNow })
  const stopReminding = startReminding(app)
  const stopRenewing = startRenewingKeys(app)
  const stopTesting = startTestingChannels(app, tester, work)
  const stopClosing = startClosingBooks({ ...app, now: steadyNow }, work, env.dataDir)
  const stopPolling = startPollingTasks(relay.parts)
  const stopDelivering = startDeliveringLogs(app)

  // Who may come in.
  const state = {
    draining: false,
    ping: () => store.ping(),
    canWrite: books.canWrite,
    metrics: () => link.allMetrics(),
  }
  const mcpTester = openMcpTester(mcp.parts)
  const door = new FrontDoor(app, relay, mcp, apiHandlers(app, { state, setup, tester, mcpTester, work }), {
    trustedProxies: env.trustedProxies,
    bodyMemory: env.bodyMemory / env.workers,
    consoleFolder: join(import.meta.dir, '..', 'dist', 'console'),
    isLeaving: () => state.draining,
  })
  await warm
  const server = await waitForPort(
    env,
    () => listen(env, door),
    () => link.isLost,
  )
  // Killed while this one was starting: who took its place wants the port, and nothing is under way here yet.
  if (!server) process.exit(0)
  watchProcess()
  tellOfDamage()

  // How it ends: whatever still has to be charged or told comes before what that needs.
  endWhenTold(link, async () => {
    state.draining = true
    const stayUntil = performance.now() + env.shutdownDelay * 1000
    while (performance.now() < stayUntil && !link.hurried && !link.isLost) await Bun.sleep(20)
    stopTesting()
    stopClosing()
    const workEnded = work.stop()
    const turnsEnded = Promise.all([stopRenewing(), stopReminding()])
    endLogTails()
    await drain(server, relay.parts.live, link)
    const told = relay.parts.tracer?.close(endTimes.tellMs)
    stopSweeping()
    await workEnded
    await stopPolling()
    await stopDelivering()
    await relay.parts.contents.finish(CONTENTS_MS)
    await relay.parts.rests.close().catch(error => log.debug('what rests could not be taken back', { error }))
    await books.stop()
    // A mail server that hangs may hold this up until the program is killed.
    await turnsEnded
    await allArrived()
    await store.close()
    await told
  })

  link.send({
    kind: 'ready',
    port: server.port ?? env.port,
    setupToken: (await setup.isDone()) ? undefined : setup.token,
    migrated: store.migrated,
    node: books.nodeName(),
  })
  warmPasswords().catch(error => log.warn('passwords could not be warmed', { error }))
}

async function prepareAccounts(setup: Setup, rootPassword: string | undefined): Promise<void> {
  if (rootPassword === undefined || (await setup.isDone())) return
  try {
    await setup.createRoot('root', rootPassword)
  } catch (error) {
    // Another worker or node was faster; its account is as good as ours.
    if (!(await setup.isDone())) throw error
  }
}

function listen(env: Env, door: FrontDoor) {
  return Bun.serve({
    port: env.port,
    hostname: env.host,
    reusePort: env.workers > 1,
    idleTimeout: REST_SECONDS,
    maxRequestBodySize: LARGEST_BODY,
    fetch: (request, peer) => door.handle(request, peer as Peer),
    websocket: clientSocket,
    error: error => {
      log.error('a request failed outside its handler', { error })
      return new Response('internal error\n', { status: 500 })
    },
  })
}
