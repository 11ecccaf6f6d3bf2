import type { TokenUsage } from '../../dialects/spec.ts'
import type { Amounts } from '../../ledger/price/price-snapshot.ts'
import { asCharged } from '../order/charge-usage.ts'
import type { Delta, Report } from './read-event.ts'

/** A spoken answer counts one token for each twentieth of a second: 24,000 samples of two bytes make a second. */
const BYTES_PER_SPOKEN_TOKEN = 48_000 / 20
/** No responses say more at once; what is beyond is not kept to be counted. */
const MOST_TEXT = 1024 * 1024
/** No token of text is longer by much. */
const CERTAIN_CHARACTERS = 8
/** Clients have a few made side by side; more are taken for one. */
const MOST_AT_ONCE = 64

type CountText = (text: string) => Promise<number>

/** What was heard of a response that has not been reported yet. */
interface Heard {
  text: string
  audioBytes: number
}

/** What a session has used: as the upstream reports it, and by our own count where it does not. */
export class SessionUsage {
  readonly #countText: CountText
  #total: Amounts = { calls: 0 }
  /** Responses that have begun, by their ids; '' for what is said of none. */
  readonly #underWay = new Map<string, Heard>()
  #textLength = 0

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
    return this.#underWay.size > 0
  }

  /** Those that have. */
  get responding(): readonly string[] {
    return [...this.#underWay.keys()]
  }

  /** What those have used for certain; of text several characters are a token. */
  get certain(): TokenUsage | undefined {
    const all = [...this.#underWay.values()]
    const audioBytes = all.reduce((sum, heard) => sum + heard.audioBytes, 0)
    const audioOutput = Math.floor(audioBytes / BYTES_PER_SPOKEN_TOKEN)
    const output = audioOutput + Math.floor(this.#textLength / CERTAIN_CHARACTERS)
    return output === 0 ? undefined : { input: 0, output, audioOutput }
  }

  noteCreated(id = ''): void {
    this.#heardOf(id)
  }

  noteDelta(delta: Delta, id = ''): void {
    const heard = this.#heardOf(id)
    if ('audioBytes' in delta) heard.audioBytes += delta.audioBytes
    else if (this.#textLength < MOST_TEXT) {
      heard.text += delta.text
      this.#textLength += delta.text.length
    }
  }

  #heardOf(id: string): Heard {
    const known = this.#underWay.get(id)
    if (known) return known
    if (id !== '' && this.#underWay.size >= MOST_AT_ONCE) return this.#heardOf('')
    const heard = { text: '', audioBytes: 0 }
    this.#underWay.set(id, heard)
    return heard
  }

  async note({ of, usage, id }: Report): Promise<void> {
    if (of === 'transcription') return this.#add(usage, 0)
    const heard = this.#end(id)
    // Servers that do not count say zero: what they leave out was heard.
    const untold = usage?.output ? undefined : await this.#countUnreported(heard)
    this.#add(usage && untold ? { ...usage, ...untold, input: usage.input } : (usage ?? untold), 1)
  }

  /** The line broke in the middle of a response: what was heard of it is counted. */
  async noteBreak(): Promise<void> {
    for (const heard of this.#end()) this.#add(await this.#countUnreported([heard]), 1)
  }

  /** A response is over, and what was said of none with it. All are, where it is not known which one. */
  #end(id = ''): readonly Heard[] {
    const ended = this.#underWay.has(id) && id !== '' ? [id, ''] : this.responding
    return ended.flatMap(one => {
      const heard = this.#underWay.get(one)
      this.#underWay.delete(one)
      this.#textLength -= heard?.text.length ?? 0
      return heard ?? []
    })
  }

  async #countUnreported(all: readonly Heard[]): Promise<TokenUsage | undefined> {
    const audioBytes = all.reduce((sum, heard) => sum + heard.audioBytes, 0)
    const audioOutput = Math.ceil(audioBytes / BYTES_PER_SPOKEN_TOKEN)
    const text = all.map(heard => heard.text).join('')
    const output = audioOutput + (text === '' ? 0 : await this.#countText(text))
    return output === 0 ? undefined : { input: 0, output, audioOutput }
  }

  #add(usage: TokenUsage | undefined, calls: number): void {
    if (!usage || usage.input + usage.output === 0) return
    this.#total = addUsage(this.#total, { ...asCharged(usage), calls })
  }
}

export function addUsage(one: Amounts, other: Amounts): Amounts {
  const sum: Record<string, number> = { ...one }
  for (const [category, amount] of Object.entries(other)) sum[category] = (sum[category] ?? 0) + (amount ?? 0)
  return sum
}
