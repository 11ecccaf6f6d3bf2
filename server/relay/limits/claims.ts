import type { Claim, Figures } from '../../store/counters/counters.ts'

/** The places of one call in limits: its caller's, and those of the channel that serves it. */
export class Claims {
  readonly #claims: Claim[] = []
  /** What the caller is told of its own limits; a channel's are nobody's business. */
  figures: Figures = {}

  addCaller(claim: Claim): void {
    this.#claims.push(claim)
    this.figures = claim.figures
  }

  add(claim: Claim): void {
    this.#claims.push(claim)
  }

  /** The channel, or the group, did not serve the call: it does not count there. */
  async drop(claim: Claim): Promise<void> {
    const at = this.#claims.indexOf(claim)
    if (at >= 0) this.#claims.splice(at, 1)
    await claim.end(0)
  }

  /** The call has used so many tokens by now. Nobody waits for it. */
  charge(tokens: number): void {
    for (const claim of this.#claims) void claim.charge(tokens)
  }

  /** The call is over; only the first time has an effect. */
  async end(tokens: number): Promise<void> {
    const claims = this.#claims.splice(0)
    await Promise.all(claims.map(claim => claim.end(tokens)))
  }
}
