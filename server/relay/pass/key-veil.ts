import { secretsIn } from '../routing/channel-keys.ts'
import { spellingsOf } from '../upstream/scrub.ts'
import type { Attempt } from '../upstream/try-channels.ts'

/** Shorter ones may stand in an answer by chance, where they mean something else. */
const SHORTEST = 12
const STAR = 0x2a
const NOTHING = new Uint8Array()

/**
 * Takes the key out of an answer that repeats it, while it passes: an API that shows its caller what it was asked would
 * give the operator's key away. As many stars stand in its place, so that whatever tells of lengths stays true. What may be
 * the beginning of a key waits for the next piece, and nothing else does.
 */
export class KeyVeil {
  readonly #secrets: readonly Buffer[]
  #waiting: Uint8Array = NOTHING

  constructor({ channel, key }: Attempt) {
    const secrets = [...secretsIn(key), ...channel.settingSecrets]
    const spelled = secrets.flatMap(secret => [...spellingsOf(secret), ...inJson(secret)])
    this.#secrets = [...new Set(spelled)]
      .filter(({ length }) => length >= SHORTEST)
      .map(text => Buffer.from(text))
  }

  /** What may go on of this piece and what waited before it. */
  take(chunk: Uint8Array): Uint8Array {
    const all = this.#waiting.byteLength === 0 ? chunk : Buffer.concat([this.#waiting, chunk])
    this.#blank(all)
    const kept = this.#beginningAtEnd(all)
    // A copy: the piece itself is given back once it has gone on.
    this.#waiting = kept === 0 ? NOTHING : new Uint8Array(all.subarray(all.byteLength - kept))
    return kept === 0 ? all : all.subarray(0, all.byteLength - kept)
  }

  /** What waited for more, of which there is none. */
  rest(): Uint8Array {
    const rest = this.#waiting
    this.#waiting = NOTHING
    return rest
  }

  /** The same of an answer that is all here. */
  whole(bytes: Uint8Array): Uint8Array {
    this.#blank(bytes)
    return bytes
  }

  #blank(bytes: Uint8Array): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const secret of this.#secrets)
      for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.byteLength))
        text.fill(STAR, at, at + secret.byteLength)
  }

  /** How many of the last bytes are the beginning of a secret. */
  #beginningAtEnd(bytes: Uint8Array): number {
    let most = 0
    for (const secret of this.#secrets) {
      const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(
        1 - secret.byteLength,
      )
      const first = secret[0] as number
      for (let at = tail.indexOf(first); at >= 0; at = tail.indexOf(first, at + 1)) {
        const length = tail.byteLength - at
        if (length <= most) break
        if (tail.compare(secret, 0, length, at) === 0) most = length
      }
    }
    return most
  }
}

/** As JSON spells it, which may put a stroke before every slash. */
function inJson(secret: string): readonly string[] {
  const plain = JSON.stringify(secret).slice(1, -1)
  return [plain, plain.replaceAll('/', '\\/')]
}
