/** In seconds. Machines sleep for hours and are at rest for weeks; a clock that leaps further is rather wrong. */
const LEAP = 90 * 86_400
/** Such a clock is believed when it has stayed so for this long; a glitch has passed by then. */
const SETTLES_MS = 15 * 60_000
/** One that is set again and again meanwhile, as where a machine sleeps every few minutes, after this all the same. */
const LONGEST_MS = 4 * SETTLES_MS
/** In seconds; less than that further is a correction. */
const JUMP = 5

/**
 * For what cannot be taken back, such as that plans have ended and budgets begun: undefined while nobody knows what time
 * it is, because the clock has leapt, forward or back, and has not settled yet.
 */
export function settledClock(
  now: () => number,
  elapsedMs: () => number = () => performance.now(),
): () => number | undefined {
  let base = { at: now(), ms: elapsedMs() }
  let jumped: { readonly by: number; readonly ms: number; readonly firstMs: number } | undefined
  return () => {
    const [at, ms] = [now(), elapsedMs()]
    const by = at - base.at - Math.floor((ms - base.ms) / 1000)
    if (Math.abs(by) > LEAP) {
      if (!jumped || Math.abs(by - jumped.by) > JUMP) jumped = { by, ms, firstMs: jumped?.firstMs ?? ms }
      if (ms - jumped.ms < SETTLES_MS && ms - jumped.firstMs < LONGEST_MS) return undefined
    }
    base = { at, ms }
    jumped = undefined
    return at
  }
}
