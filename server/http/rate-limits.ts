import type { RateClass } from '../../contract/endpoint.ts'
import { AppError } from '../errors.ts'
import type { App } from '../services/app.ts'
import { countAttempt } from '../services/throttle.ts'
import type { Exchange } from './exchange.ts'

const API_WINDOW = 180
const CRITICAL_WINDOW = 1200
const MOST_ADDRESSES = 50_000

/** Per-address limits: ordinary calls are counted in memory, sensitive ones where all workers see them. */
export class RateLimits {
  readonly #app: App
  readonly #counts = new Map<string, { start: number; count: number }>()

  constructor(app: App) {
    this.#app = app
  }

  /** Waits only where there is something to wait for. */
  take(rate: RateClass, exchange: Pick<Exchange, 'address'>): Promise<void> | undefined {
    if (rate === 'critical') return this.#takeCritical(exchange.address)
    if (rate === 'api') this.#takeApi(exchange)
    return undefined
  }

  async #takeCritical(address: string): Promise<void> {
    const most = this.#app.settings.get('CriticalRateLimit')
    if (most === 0) return
    const count = await countAttempt(this.#app, `critical:${address}`, CRITICAL_WINDOW)
    if (count > most) throw new AppError('request.too-many')
  }

  #takeApi(exchange: Pick<Exchange, 'address'>): void {
    const most = this.#app.settings.get('GlobalApiRateLimit')
    if (most === 0) return
    const { address } = exchange
    const now = this.#app.now()
    const known = this.#counts.get(address)
    if (!known || known.start + API_WINDOW <= now) {
      if (this.#counts.size >= MOST_ADDRESSES) this.#counts.clear()
      this.#counts.set(address, { start: now, count: 1 })
      return
    }
    known.count++
    if (known.count > most) throw new AppError('request.too-many')
  }
}
