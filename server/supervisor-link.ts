import { collectMetrics, renderMetrics } from './metrics.ts'
import type { FromWorker, ToWorker } from './process-messages.ts'
import type { Bus, Transport } from './store/bus/bus.ts'

/** A worker's line to its supervisor, and through it to the other workers. */
export class SupervisorLink {
  readonly #waiting = new Map<number, (text: string) => void>()
  #next = 1
  #bus: Bus | undefined
  /** Ends what another worker was told to cancel, if it is under way here. */
  onCancelled: ((call: string) => void) | undefined
  /** True when what is under way shall not be waited for any longer. */
  hurried = false
  /** The supervisor was killed. */
  isLost = false
  /** Ends the process when that happens, from when on there is something to end. */
  onLost: (() => void) | undefined

  constructor() {
    process.on('message', (message: ToWorker) => this.#hear(message))
    // Told once, and to who listens by then: the line is read from the first listener on.
    process.on('disconnect', () => {
      this.isLost = true
      this.onLost?.()
    })
  }

  get isSupervised(): boolean {
    return process.send !== undefined
  }

  send(message: FromWorker): void {
    process.send?.(message)
  }

  transport(bus: Bus): Transport {
    this.#bus = bus
    return { send: topic => this.send({ kind: 'changed', topic }), close: () => {} }
  }

  cancelElsewhere(call: string): void {
    this.send({ kind: 'mcp-cancelled', call })
  }

  /** Every worker's metrics; this one's alone when there is no supervisor. */
  allMetrics(): Promise<string> {
    if (!this.isSupervised)
      return Promise.resolve(renderMetrics([{ worker: '0', families: collectMetrics() }]))
    const id = this.#next++
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      this.send({ kind: 'metrics-wanted', id })
    })
  }

  #hear(message: ToWorker): void {
    switch (message.kind) {
      case 'hurry':
        this.hurried = true
        break
      case 'there':
        this.send({ kind: 'here' })
        break
      case 'changed':
        this.#bus?.heard(message.topic)
        break
      case 'mcp-cancelled':
        this.onCancelled?.(message.call)
        break
      case 'metrics-wanted':
        this.send({ kind: 'metrics', id: message.id, families: collectMetrics() })
        break
      case 'all-metrics':
        this.#waiting.get(message.id)?.(message.text)
        this.#waiting.delete(message.id)
        break
    }
  }
}
