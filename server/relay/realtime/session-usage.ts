import type { TokenUsage } from '../../dialects/spec.ts'
import type { Amounts } from '../../ledger/price/price-snapshot.ts'
import { asCharged } from '../order/charge-usage.ts'
import type { Delta, Report } from './read-event.ts'

/** A spoken answer counts one token for each twentieth of a second: 24,000 samples of two bytes make a second. */
const BYTES_PER_SPOKEN_TOKEN = 48_000 / 20
/** No response says more; what is beyond is not kept to be counted. */
const MOST_TEXT = 1024 * 1024

type CountText = (text: string) => Promise<number>

/** What a session has used: as the upstream reports it, and by our own count where it does not. */
export class SessionUsage {
  readonly #countText: CountText
  #total: Amounts = { calls: 0 }
  #responding = false
  #text = ''
  #audioBytes = 0

  constructor(countText: CountText) {
    this.#countText = countText
  }

  get total(): Amounts {
    return this.#total
  }

  get isEmpty(): boolean {
    return Object.values(this.#total).every(amount => amount === 0)
  }

  /** Whether a response has begun of which the upstream has not yet said what it used. */
  get isResponding(): boolean {
    return this.#responding
  }

  noteCreated(): void {
    this.#responding = true
  }

  noteDelta(delta: Delta): void {
    this.#responding = true
    if ('audioBytes' in delta) this.#audioBytes += delta.audioBytes
    else if (this.#text.length < MOST_TEXT) this.#text += delta.text
  }

  async note({ of, usage }: Report): Promise<void> {
    if (of === 'transcription') return this.#add(usage, 0)
    if (usage) this.#forget()
    this.#add(usage ?? (await this.#countUnreported()), 1)
  }

  /** The line broke in the middle of a response: what was heard of it is counted. */
  async noteBreak(): Promise<void> {
    this.#add(await this.#countUnreported(), 1)
  }

  async #countUnreported(): Promise<TokenUsage | undefined> {
    const audioOutput = Math.ceil(this.#audioBytes / BYTES_PER_SPOKEN_TOKEN)
    const text = this.#text
    this.#forget()
    const output = audioOutput + (text === '' ? 0 : await this.#countText(text))
    return output === 0 ? undefined : { input: 0, output, audioOutput }
  }

  #add(usage: TokenUsage | undefined, calls: number): void {
    if (!usage || usage.input + usage.output === 0) return
    this.#total = addUsage(this.#total, { ...asCharged(usage), calls })
  }

  #forget(): void {
    this.#responding = false
    this.#text = ''
    this.#audioBytes = 0
  }
}

export function addUsage(one: Amounts, other: Amounts): Amounts {
  const sum: Record<string, number> = { ...one }
  for (const [category, amount] of Object.entries(other)) sum[category] = (sum[category] ?? 0) + (amount ?? 0)
  return sum
}
