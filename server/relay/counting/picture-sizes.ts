import type { MediaSize } from '../request/measure-media.ts'

/** What one is held for that nobody knows more of. */
const USUAL = 3000
/** What one is counted as where its vendor does not say: it has about a megapixel. */
export const COUNTED = 765
/** More than this many times what is counted is worth hearing a vendor out for. */
const DEAR = 2
/** Smaller ones say nothing of how large others can be. */
const LEAST_TELLING = COUNTED / 2
/** No picture comes to more; an upstream that says so is not believed. */
const MOST = 50_000
/** Few words of any language have more letters to a token. */
const MOST_BYTES_PER_TOKEN = 8
const MOST_KNOWN = 2000

/** By the last part of its name: its tokens are cheap, and a picture is many of them, of the largest kind this many. */
const named: readonly (readonly [RegExp, number])[] = [[/^gpt-4o-mini/i, 48_169]]

/** A request with pictures in it. */
interface Asked {
  /** Bytes of what is text in it. */
  readonly textLength: number
  readonly media: Pick<MediaSize, 'images' | 'sound' | 'files'>
  /** Tools of the vendor's own: what they find is read too, and all else again after it. */
  readonly hosted: readonly unknown[] | undefined
  readonly finds: boolean
}

/** How many tokens pictures are, by model, as whole answers have told: vendors differ by the factor of sixty. */
export class PictureSizes {
  /** The largest that was certainly seen. */
  readonly #largest = new Map<string, number>()
  /** Models of which one was seen that certainly is no more than is counted, about. */
  readonly #modest = new Set<string>()

  /** Its answer came whole: how many tokens its vendor has counted in all, with what the operator says to its model. */
  learn(model: string, asked: Asked, input: number, instructions = ''): void {
    const { media, hosted, finds } = asked
    const { images, sound, files } = media
    if (images === 0 || sound > 0 || files.most > 0 || hosted || finds) return
    const textLength = asked.textLength + Buffer.byteLength(instructions)
    // No token of text is shorter than a byte, so that the rest is certainly of pictures.
    const least = Math.floor((input - textLength) / images)
    const most = (input - textLength / MOST_BYTES_PER_TOKEN) / images
    if (most >= LEAST_TELLING && most <= COUNTED * DEAR) this.#noteModest(model)
    if (least <= COUNTED * DEAR || least <= (this.#largest.get(model) ?? 0)) return
    if (this.#largest.size >= MOST_KNOWN) this.#largest.clear()
    this.#largest.set(model, Math.min(least, MOST))
  }

  #noteModest(model: string): void {
    if (this.#modest.size >= MOST_KNOWN) this.#modest.clear()
    this.#modest.add(model)
  }

  /** What to hold for each. */
  mostOf(model: string): number {
    return Math.max(mostPerPicture(model), this.#largest.get(model) ?? 0)
  }

  /** Whether one may be far more than is counted. That is assumed until an answer has told otherwise. */
  mayBeDear(model: string): boolean {
    return !this.#modest.has(model) || this.#largest.has(model) || mostPerPicture(model) > USUAL
  }
}

/** The same, where nothing but the name is known. */
export function mostPerPicture(model: string): number {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return named.find(([beginning]) => beginning.test(name))?.[1] ?? USUAL
}
