import type { RateClass } from '../../contract/endpoint.ts'
import type { App } from '../services/app.ts'
import { countCallOf } from '../services/throttle.ts'
import type { Exchange } from './exchange.ts'

type Served = Pick<App, 'store' | 'settings' | 'now'>
type Asked = Pick<Exchange, 'address' | 'path'>

/** Files, as against pages: opening a page costs one page, however many files it brings along. */
const FILE = /\.\w+$/

/** How often an address may call, by class of call. All of it waits only where there is something to wait for. */
export class RateLimits {
  readonly #app: Served

  constructor(app: Served) {
    this.#app = app
  }

  take(rate: RateClass, { address, path }: Asked): Promise<void> | undefined {
    if (rate === 'none') return undefined
    const counted = countCallOf(this.#app, rate, address)
    // Where calls are not counted at all, searches are not either.
    if (!isSearch(path) || this.#app.settings.get('GlobalApiRateLimit') === 0) return counted
    const search = (): Promise<void> | undefined => countCallOf(this.#app, 'search', address)
    return counted ? counted.then(search) : search()
  }

  /** The same for the console's own pages. */
  takePage({ address, path }: Asked): Promise<void> | undefined {
    return FILE.test(path) ? undefined : countCallOf(this.#app, 'web', address)
  }
}

function isSearch(path: string): boolean {
  return path.endsWith('/search') || path.endsWith('/search/')
}
