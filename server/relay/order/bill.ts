import { AppError } from '../../errors.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { LogRow, OfRequest } from '../../ledger/moves.ts'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'

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

/** The money of one request: set aside, raised, and closed exactly once. */
export class Bill {
  readonly #ledger: Ledger
  readonly #of: OfRequest
  /** Until it is known who serves the call, what it is likely to be. */
  price: PriceSnapshot
  #heldAt: PriceSnapshot | undefined
  #granted = 0
  #holding: Promise<number> | undefined
  /** Set while nothing is held because the call was let out on credit. */
  #credit: { readonly most: number; end(charged: number | 'refused'): void } | undefined
  readonly #began: number
  #closed = false
  /** Told once, when the call is over, however it ended. */
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

  /** The promise may be awaited by several. What is held already is raised. */
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

  /** Something else is to be paid for: what was let out on credit is not, and what is held stays held. */
  startOver(price: PriceSnapshot): void {
    this.#endCredit(0)
    if (this.onClosed) this.#tellClosed()
    this.price = price
  }

  /** Instead of a hold: nothing is set aside, and the settlement asks for the money. `end` is told what it was. */
  holdNothing(most: number, end: (charged: number | 'refused') => void): void {
    this.#credit = { most, end }
  }

  /**
   * Resolves when the hold is on disk; rejects with what refused it. An answer that flows, although it was not
   * to, reaches the client before it is paid: then something has to be held after all.
   */
  held(flows: boolean): Promise<number> | undefined {
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

  /** Whether it is on disk. */
  checkpoint(charge: number): Promise<boolean> {
    return this.#ledger.checkpoint(this.#of, Math.min(charge, this.#granted), this.#newPrice)
  }

  /** Where it has become another than the hold says. */
  get #newPrice(): string | undefined {
    return this.price === this.#heldAt ? undefined : priceText(this.price)
  }

  /** What was really charged. It is on disk when this resolves. */
  async settle(charge: number, row: LogRow | undefined): Promise<number> {
    if (this.#closed) throw new AppError('ledger.closed')
    this.#closed = true
    try {
      const charged = this.#credit
        ? await this.#ledger.pay(this.#of, this.#termsOf(charge), row)
        : await this.#ledger.settle(this.#of, charge, row, this.#newPrice)
      this.#endCredit(charged)
      return charged
    } catch (error) {
      // On no disk. An answer that nobody gets for that reason is cancelled.
      this.#closed = false
      if (isRefusal(error)) this.#endCredit('refused')
      throw error
    } finally {
      // Also where it failed: a stream is over then, and nobody closes it again.
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
