import { log } from '../log.ts'
import type { App } from '../services/app.ts'
import { LogDelivery } from '../services/log-sinks/delivery.ts'
import { allSinks } from '../services/log-sinks/sink.ts'

const LOOK_MS = 1000

/** Delivers the log wherever the operator wants it; of all processes one does, for each place. */
export function startDeliveringLogs(app: App): () => Promise<void> {
  const stops = allSinks.map(sink => keepDelivering(new LogDelivery(app, sink)))
  return async () => {
    await Promise.all(stops.map(stop => stop()))
  }
}

function keepDelivering(delivery: LogDelivery): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let timer: Timer | undefined
  let stopped = false
  const work = async (): Promise<void> => {
    while (!stopped && (await delivery.turn()));
  }
  const again = (): void => {
    if (stopped) return
    timer = setTimeout(() => {
      running = work()
        .catch(error => log.debug('the log could not be delivered just now', { error }))
        .finally(again)
    }, LOOK_MS)
  }
  again()
  return async () => {
    stopped = true
    clearTimeout(timer)
    delivery.breakOff()
    await running
    await delivery
      .giveUp()
      .catch(error => log.debug('another learns only later to deliver the log', { error }))
  }
}
