/** Shorter differences come of counting otherwise. */
const LEAST_TOKENS = 64
const MOST_KNOWN = 2000

/**
 * Which models think where nobody sees, as their whole answers have told: most of what was billed was not shown.
 * Such thoughts are told of at the very end of a stream only.
 */
export class HiddenThoughts {
  readonly #known = new Set<string>()

  /** Of an answer that came whole: what its vendor counted, and what there was to see. True where most was hidden. */
  note(channelId: number, model: string, { output, shown }: { output: number; shown: number }): boolean {
    if (output - shown <= Math.max(LEAST_TOKENS, output / 2)) return false
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.add(keyOf(channelId, model))
    return true
  }

  has(channelId: number, model: string): boolean {
    return this.#known.has(keyOf(channelId, model))
  }
}

function keyOf(channelId: number, model: string): string {
  return `${channelId} ${model}`
}
