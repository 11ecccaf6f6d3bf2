const COOL_MS = { first: 5_000, most: 60_000, mostAsked: 600_000 } as const

/** How something stands that was told to slow down. */
export interface CoolDown {
  /** Times in a row. */
  cooled: number
  coolUntil: number
}

/** For as long as it was told to, in seconds; where it was not told, longer each time. */
export function coolDown(it: CoolDown, now: number, retryAfter: number | undefined): void {
  // A burst that is refused at once is one refusal, not a reason to double the wait for each of its requests.
  if (it.coolUntil <= now) it.cooled++
  const asked = retryAfter !== undefined && retryAfter > 0 ? retryAfter * 1000 : undefined
  const ms =
    asked === undefined
      ? Math.min(COOL_MS.first * 2 ** (it.cooled - 1), COOL_MS.most)
      : Math.min(asked, COOL_MS.mostAsked)
  it.coolUntil = Math.max(it.coolUntil, now + ms)
}
