import type { Claim, Figures } from '../../store/counters/counters.ts'

/** What one call is counted under: its caller's limits, and those of the channel that serves it. */
export class Claims {
  readonly #claims: Claim[] = []
  /** The caller's; a channel's limits are nobody's business. */
  figures: Figures = {}

  addCaller(claim: Claim): void {
    this.#claims.push(claim)
    this.figures = claim.figures
  }

  add(claim: Claim): void {
    this.#claims.push(claim)
  }

  /** That channel did not serve it. */
  async drop(claim: Claim): Promise<void> {
    const at = this.#claims.indexOf(claim)
    if (at >= 0) this.#claims.splice(at, 1)
    await claim.end(0)
  }

  /** So many tokens in all by now. Nobody waits for it. */
  charge(tokens: number): void {
    for (const claim of this.#claims) void claim.charge(tokens)
  }

  /** The call is over; the first time counts. */
  async end(tokens: number): Promise<void> {
    const claims = this.#claims.splice(0)
    await Promise.all(claims.map(claim => claim.end(tokens)))
  }
}
