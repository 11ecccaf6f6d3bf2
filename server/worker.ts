import { join } from 'node:path'
import { connectStore } from './connect-store.ts'
import type { Env } from './env.ts'
import { type Peer, REST_SECONDS } from './http/exchange.ts'
import { FrontDoor } from './http/front-door.ts'
import { probeHandlers } from './http/probes.ts'
import { keepLedger } from './jobs/keep-ledger.ts'
import { startPollingTasks } from './jobs/poll-tasks.ts'
import { startReminding } from './jobs/remind-quota.ts'
import { startSweeping } from './jobs/sweep.ts'
import { startTestingChannels } from './jobs/test-channels.ts'
import { log } from './log.ts'
import { counter } from './metrics.ts'
import { openTracer } from './open-tracer.ts'
import { createOutbound } from './outbound/client.ts'
import { drain as limits } from './process-messages.ts'
import { openChannelTester } from './relay/channel-test/test-channel.ts'
import { openRelay } from './relay/open-relay.ts'
import { endRealtime } from './relay/realtime/realtime-session.ts'
import { realtimeSocket } from './relay/realtime/realtime-socket.ts'
import { accountHandlers, userAdminHandlers, userHandlers } from './services/accounts/handlers.ts'
import { warmPasswords } from './services/accounts/passwords.ts'
import type { App } from './services/app.ts'
import { auditLogHandlers } from './services/audit-log.ts'
import { BackgroundWork } from './services/background-work.ts'
import { channelHandlers } from './services/channels/handlers.ts'
import { auditHandlers } from './services/ledger-audit.ts'
import { logHandlers } from './services/logs/handlers.ts'
import { endLogTails } from './services/logs/log-tail.ts'
import { tellOfDisabled } from './services/notices/channel-notices.ts'
import { noticeHandlers } from './services/notices/notice-settings.ts'
import { optionHandlers } from './services/options.ts'
import { pricingHandlers } from './services/pricing.ts'
import { recordHandlers } from './services/records.ts'
import { Setup, setupHandlers } from './services/setup.ts'
import { signInHandlers } from './services/sign-in/handlers.ts'
import { statisticsHandlers } from './services/statistics/handlers.ts'
import { statusHandlers } from './services/status.ts'
import { tokenHandlers } from './services/tokens/handlers.ts'
import { tokenUsageHandlers } from './services/tokens/token-usage.ts'
import { walletHandlers } from './services/wallet/handlers.ts'
import { redemptionHandlers } from './services/wallet/redemptions.ts'
import { stripeHandlers } from './services/wallet/stripe/handlers.ts'
import { cannotListen } from './start-problems.ts'
import { steadyClock } from './steady-clock.ts'
import { dropRests } from './store/channel-rests.ts'
import { SupervisorLink } from './supervisor-link.ts'
import { version } from './version.ts'
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
  const link = new SupervisorLink()
  const store = await connectStore(env, {
    secretKey,
    redisUrl: env.redisUrl,
    neighbours: bus => link.transport(bus),
  })
  const now = (): number => Math.floor(Date.now() / 1000)
  const { settings } = store
  const outbound = createOutbound({ allowPrivate: () => settings.get('AllowPrivateUpstreams') })
  const kept = await keepLedger(store, env.dataDir, now)
  // What it left alone is asked again by this one, which knows nothing of it.
  if (former) await dropRests(store, former)
  const { generateDefaultToken } = env
  const app: App = {
    ...{ store, settings, ledger: kept.ledger, outbound, generateDefaultToken },
    ...{ version, startedAt: now(), now },
  }
  const setup = new Setup(app)
  await prepareAccounts(setup, env.rootPassword)
  const stopSweeping = startSweeping(app)
  const stopReminding = startReminding(app)
  const relay = await openRelay({
    store,
    ledger: kept.ledger,
    outbound,
    now,
    steadyNow: steadyClock(now),
    nodeName: kept.nodeName,
    onDisabled: disabled => tellOfDisabled(app, disabled),
    tracer: openTracer(env.otel),
  })

  const work = new BackgroundWork(app)
  const tester = openChannelTester(relay.parts)
  const stopTesting = startTestingChannels(app, tester, work)
  const stopPolling = startPollingTasks(relay.parts)

  const state = {
    draining: false,
    ping: () => store.ping(),
    canWrite: kept.canWrite,
    metrics: () => link.allMetrics(),
  }
  const door = new FrontDoor(
    app,
    relay,
    {
      ...probeHandlers(state, version),
      ...statusHandlers(app, setup),
      ...setupHandlers(setup),
      ...userHandlers(app),
      ...signInHandlers(app),
      ...accountHandlers(app),
      ...userAdminHandlers(app),
      ...noticeHandlers(app),
      ...optionHandlers(app),
      ...channelHandlers(app, tester, work),
      ...walletHandlers(app),
      ...stripeHandlers(app),
      ...tokenHandlers(app),
      ...redemptionHandlers(app),
      ...tokenUsageHandlers(app),
      ...auditHandlers(app),
      ...logHandlers(app, work),
      ...statisticsHandlers(app),
      ...pricingHandlers(app),
      ...recordHandlers(app),
      ...auditLogHandlers(app),
    },
    {
      trustedProxies: env.trustedProxies,
      consoleFolder: join(import.meta.dir, '..', 'dist', 'console'),
      isLeaving: () => state.draining,
    },
  )
  const server = listen(env, door)
  watchProcess()

  let isOrphan = false
  const end = async (): Promise<void> => {
    state.draining = true
    const stayUntil = performance.now() + env.shutdownDelay * 1000
    while (performance.now() < stayUntil && !link.hurried && !isOrphan) await Bun.sleep(20)
    stopTesting()
    const workEnded = work.stop()
    endLogTails()
    await drain(server, relay.parts.live, link)
    const told = relay.parts.tracer?.close(limits.tellMs)
    stopSweeping()
    await workEnded
    await stopPolling()
    stopReminding()
    await relay.parts.contents.finish(CONTENTS_MS)
    await relay.parts.rests.close().catch(error => log.debug('what rests could not be taken back', { error }))
    await kept.stop()
    await store.close()
    await told
  }
  const endProcess = (): void => {
    if (state.draining) return
    end().then(
      () => process.exit(0),
      error => {
        log.error('the worker did not end cleanly', { error })
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, endProcess)
  process.on('disconnect', () => {
    // The supervisor was killed: whoever starts the program again wants the port.
    isOrphan = true
    endProcess()
  })
  // A terminal that closes tells everyone; the supervisor's end is what counts, and it may be told to live on.
  process.on('SIGHUP', () => {})

  link.send({
    kind: 'ready',
    port: server.port ?? env.port,
    setupToken: (await setup.isDone()) ? undefined : setup.token,
    migrated: store.migrated,
    node: kept.nodeName(),
  })
  warmPasswords().catch(error => log.warn('passwords could not be warmed', { error }))
}

function listen(env: Env, door: FrontDoor) {
  try {
    return Bun.serve({
      port: env.port,
      hostname: env.host,
      reusePort: env.workers > 1,
      idleTimeout: REST_SECONDS,
      maxRequestBodySize: LARGEST_BODY,
      fetch: (request, peer) => door.handle(request, peer as Peer),
      websocket: realtimeSocket,
      error: error => {
        log.error('a request failed outside its handler', { error })
        return new Response('internal error\n', { status: 500 })
      },
    })
  } catch (error) {
    throw cannotListen(env, error)
  }
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

/** Takes nothing new, lets what is under way finish within bounds, and cuts off the rest. */
async function drain(
  server: { stop(closeAll?: boolean): Promise<void>; pendingRequests: number; pendingWebSockets: number },
  live: { readonly size: number },
  link: Pick<SupervisorLink, 'hurried'>,
): Promise<void> {
  const deadline = performance.now() + limits.finishMs
  server.stop(false).catch(error => log.warn('the server did not stop cleanly', { error }))
  await endRealtime()
  const underWay = (): number => server.pendingRequests + server.pendingWebSockets + live.size
  while (underWay() > 0 && !link.hurried && performance.now() < deadline) await Bun.sleep(20)
  // A session may have been connecting until now.
  await endRealtime()
  if (underWay() > 0) log.warn('what is still under way is cut off', { calls: live.size })
  await server.stop(true)
  // Whoever is cut off pays for what was produced, and that has to be written while there is a store. To count it
  // takes seconds on a busy machine: who hurries cuts off the answers, not the time that was left to charge them.
  const settled = Math.max(performance.now(), deadline) + limits.settleMs
  while (live.size > 0 && performance.now() < settled) await Bun.sleep(20)
}
