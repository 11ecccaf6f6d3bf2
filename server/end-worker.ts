import { log } from './log.ts'
import { endTimes } from './process-messages.ts'
import { endRealtime } from './relay/realtime/realtime-session.ts'
import { endResponsesSockets } from './relay/responses-socket/responses-socket.ts'
import type { SupervisorLink } from './supervisor-link.ts'

/** Ends the process by `end`, once: at a signal, or when the supervisor is gone. */
export function endWhenTold(link: Pick<SupervisorLink, 'onLost'>, end: () => Promise<void>): void {
  let isEnding = false
  const endProcess = (): void => {
    if (isEnding) return
    isEnding = true
    end().then(
      () => process.exit(0),
      error => {
        log.error('the worker did not end cleanly', { error })
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, endProcess)
  link.onLost = () => {
    // Whoever starts the program again wants the port. And nobody is left who would kill what does not come to its end.
    setTimeout(() => process.exit(1), endTimes.killMs).unref()
    endProcess()
  }
  // A terminal that closes tells everyone; the supervisor's end is what counts, and it may be told to live on.
  process.on('SIGHUP', () => {})
}

/** Takes nothing new, lets what is under way finish within bounds, and cuts off the rest. */
export async function drain(
  server: { stop(closeAll?: boolean): Promise<void>; pendingRequests: number; pendingWebSockets: number },
  live: { readonly size: number },
  link: Pick<SupervisorLink, 'hurried'>,
): Promise<void> {
  const deadline = performance.now() + endTimes.finishMs
  server.stop(false).catch(error => log.warn('the server did not stop cleanly', { error }))
  endResponsesSockets()
  await endRealtime()
  const underWay = (): number => server.pendingRequests + server.pendingWebSockets + live.size
  while (underWay() > 0 && !link.hurried && performance.now() < deadline) await Bun.sleep(20)
  // A session may have been connecting until now.
  endResponsesSockets()
  await endRealtime()
  if (underWay() > 0) log.warn('what is still under way is cut off', { calls: live.size })
  await server.stop(true)
  // Whoever is cut off pays for what was produced, and that has to be written while there is a store. To count it
  // takes seconds on a busy machine: who hurries cuts off the answers, not the time that was left to charge them.
  const settled = Math.max(performance.now(), deadline) + endTimes.settleMs
  while (live.size > 0 && performance.now() < settled) await Bun.sleep(20)
}
