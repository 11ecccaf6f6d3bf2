/** Whole numbers that look random and are the same for the same seed. */
export type Random = (from: number, to: number) => number

export function seeded(seed: number): Random {
  let state = seed >>> 0
  return (from, to) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) % (to - from + 1))
  }
}

export function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 1
}
