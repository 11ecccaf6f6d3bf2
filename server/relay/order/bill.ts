import { AppError } from '../../errors.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { LogRow, OfRequest } from '../../ledger/moves.ts'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import type { Caller } from '../callers/caller.ts'

/** A snapshot is shared by all requests of a model and group: it is written out once. */
const texts = new WeakMap<PriceSnapshot, string>()

function priceText(price: PriceSnapshot): string {
  let text = texts.get(price)
  if (text === undefined) {
    text = JSON.stringify(price)
    texts.set(price, text)
  }
  return text
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code.startsWith('ledger.')
}

/** A call as the ledger knows it. */
export function requestOf(
  id: string,
  { userId, tokenId, spendLimits: limits }: Caller,
  labels?: string,
): OfRequest {
  return limits || labels ? { id, userId, tokenId, limits, labels } : { id, userId, tokenId }
}

/** The money of one request: set aside, raised, and closed exactly once. */
export class Bill {
  readonly #ledger: Ledger
  readonly #of: OfRequest
  /** What the call is settled by. Until it is known which group serves it, the price in the first. */
  price: PriceSnapshot
  /** The price that the hold was written down with. */
  #heldAt: PriceSnapshot | undefined
  #granted = 0
  #holding: Promise<number> | undefined
  /** Set while nothing is held because the call was let out on credit. */
  #credit: { readonly most: number; end(charged: number | 'refused'): void } | undefined
  readonly #began: number
  #closed = false
  /** The client gets nothing of the answer before it is paid. */
  #isWithheld = false
  /** Called once, when the call is over, however it ended. */
  onClosed: (() => void) | undefined

  /** `began` in seconds since 1970. */
  constructor(ledger: Ledger, of: OfRequest, price: PriceSnapshot, began: number) {
    this.#ledger = ledger
    this.#of = of
    this.price = price
    this.#began = began
  }

  /** What has been set aside so far. */
  get granted(): number {
    return this.#granted
  }

  /** Whether something is set aside, or about to be. */
  get isHeld(): boolean {
    return this.#holding !== undefined
  }

  /** Sets money aside, or raises what is set aside already. Several may await the promise. */
  hold(most: number, least: number): Promise<number> {
    if (this.#holding) return this.#holdMore(this.#holding, most, least)
    this.#heldAt = this.price
    this.#holding = this.#ledger
      .hold(this.#of, { most, least: Math.min(least, most), price: priceText(this.price) })
      .then(granted => {
        this.#granted = granted
        return granted
      })
    return this.#holding
  }

  async #holdMore(holding: Promise<number>, most: number, least: number): Promise<number> {
    const isOpen = await holding.then(
      () => true,
      error => {
        if (isRefusal(error)) return false
        throw error
      },
    )
    if (!isOpen) {
      this.#holding = undefined
      return this.hold(most, least)
    }
    if (this.#granted < most) this.#granted = await this.#ledger.extend(this.#of, { to: most, least })
    return this.#granted
  }

  /** Another model is going to be paid for: credit for the first is ended, and what is held stays held. */
  startOver(price: PriceSnapshot): void {
    this.#endCredit(0)
    if (this.onClosed) this.#tellClosed()
    this.price = price
  }

  /** Lets the call out on credit: nothing is set aside, and the settlement asks for all of it. `end` hears how much. */
  holdNothing(most: number, end: (charged: number | 'refused') => void): void {
    this.#credit = { most, end }
  }

  /**
   * Resolves when the hold is on disk; rejects with what refused it. Undefined for a call that is out on credit. If its
   * answer `flows`, though it was expected whole, the client gets it before it is paid: then money is held after all.
   */
  held(flows: boolean): Promise<number> | undefined {
    this.#isWithheld = !flows
    if (this.#credit && !flows) return undefined
    if (this.#credit) {
      const { most } = this.#credit
      this.#endCredit(0)
      return this.hold(most, most)
    }
    if (!this.#holding) throw new AppError('server.internal', {}, new Error('nothing was held'))
    return this.#holding
  }

  /** False when the balance does not reach to `least`. */
  async extend(to: number, least: number): Promise<boolean> {
    try {
      this.#granted = await this.#ledger.extend(this.#of, { to, least })
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      // The database is away: what was granted stands, and the settlement will tell.
      if (error instanceof AppError && error.code === 'store.unavailable') return true
      throw error
    }
  }

  /** Resolves with whether it is on disk. */
  checkpoint(charge: number): Promise<boolean> {
    return this.#ledger.checkpoint(this.#of, Math.min(charge, this.#granted), this.#newPrice)
  }

  /** The price, where it is another by now than the hold was taken with. */
  get #newPrice(): string | undefined {
    return this.price === this.#heldAt ? undefined : priceText(this.price)
  }

  /** Resolves with what was really charged, when that is on disk. */
  async settle(charge: number, row: LogRow | undefined): Promise<number> {
    if (this.#closed) throw new AppError('ledger.closed')
    this.#closed = true
    try {
      const charged = this.#credit
        ? await this.#ledger.pay(this.#of, this.#termsOf(charge), row)
        : await this.#ledger.settle(this.#of, charge, row, {
            price: this.#newPrice,
            isWithheld: this.#isWithheld,
          })
      this.#endCredit(charged)
      return charged
    } catch (error) {
      // Nothing is on disk, so the bill is open again: an answer that is withheld for that can still be cancelled.
      this.#closed = false
      if (isRefusal(error)) this.#endCredit('refused')
      throw error
    } finally {
      // Also after a failure: a stream is over then, and nobody closes its bill again.
      if (this.onClosed) this.#tellClosed()
    }
  }

  #termsOf(charge: number) {
    return { charge, price: priceText(this.price), began: this.#began }
  }

  #endCredit(charged: number | 'refused'): void {
    this.#credit?.end(charged)
    this.#credit = undefined
  }

  #tellClosed(): void {
    const tell = this.onClosed
    this.onClosed = undefined
    tell?.()
  }

  /** The hold is somebody else's to close: the call goes on without whoever has this bill. */
  handOver(): void {
    this.#closed = true
    this.#tellClosed()
  }

  /** Gives everything back, if anything was taken, and notes why. */
  async cancel(row: LogRow | undefined): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#endCredit(0)
    this.#tellClosed()
    const held = await this.#holding?.then(
      () => true,
      () => false,
    )
    if (held) await this.#ledger.release(this.#of, row)
    else if (row) await this.#ledger.note(this.#of, row)
  }
}
