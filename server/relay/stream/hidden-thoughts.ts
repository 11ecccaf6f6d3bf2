/** Shorter differences come of counting otherwise. */
const LEAST_TOKENS = 64
const MOST_KNOWN = 2000

/** By the last part of its name, as vendors call models that never show what they think. */
const secretive = /^(o\d|gpt-([5-9]|[12]\d)|codex|grok-[4-9])/i
const silent = /non-reasoning|non-thinking|-chat/i

/**
 * Which models think where nobody sees, as their whole answers have told: most of what was billed was not shown.
 * Such thoughts are told of at the very end of a stream only.
 */
export class HiddenThoughts {
  readonly #known = new Map<string, boolean>()

  /** Of an answer that came whole: what its vendor counted, and what there was to see. True where most was hidden. */
  note(channelId: number, model: string, { output, shown }: { output: number; shown: number }): boolean {
    const isHidden = output - shown > Math.max(LEAST_TOKENS, output / 2)
    // Who hides them may have had none, for once; a short answer says nothing.
    if (!isHidden && (output < LEAST_TOKENS || this.#known.has(keyOf(channelId, model)))) return false
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(keyOf(channelId, model), isHidden)
    return isHidden
  }

  /** `asked`: whether the request wants it to think. That is taken for hidden until an answer has shown it. */
  mayHide(channelId: number, model: string, asked: boolean): boolean {
    return isSecretive(model) || (this.#known.get(keyOf(channelId, model)) ?? asked)
  }
}

function isSecretive(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return secretive.test(name) && !silent.test(name)
}

function keyOf(channelId: number, model: string): string {
  return `${channelId} ${model}`
}
