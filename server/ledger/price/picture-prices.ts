import { exact, multiply } from './decimal.ts'
import type { PriceSnapshot } from './price-snapshot.ts'

/** What is asked of a picture that its price may depend on, in the words of the request. */
export interface Picture {
  readonly size?: string | undefined
  readonly quality?: string | undefined
}

/** What a picture costs relative to the price of its model, which is for a plain square one. */
type PictureRatios = Readonly<Record<string, Readonly<Record<string, number>>>>

const pictureRatios: Readonly<Record<string, PictureRatios>> = {
  'dall-e-2': { standard: { '256x256': 0.8, '512x512': 0.9 } },
  'dall-e-3': {
    standard: { '1024x1792': 2, '1792x1024': 2 },
    hd: { '1024x1024': 2, '1024x1792': 3, '1792x1024': 3 },
  },
}
const STANDARD = 'standard'
const SQUARE = '1024x1024'

const known = new WeakMap<PriceSnapshot, Map<number, PriceSnapshot>>()

/** The price of one such picture; the same for every request that asks for such. */
export function priceOfPicture(snapshot: PriceSnapshot, picture: Picture): PriceSnapshot {
  const ratio = ratioOf(snapshot.model, picture)
  if (ratio === 1 || snapshot.kind !== 'call') return snapshot
  const ofModel = known.get(snapshot) ?? new Map<number, PriceSnapshot>()
  const found = ofModel.get(ratio)
  if (found) return found
  const price = Object.freeze({ ...snapshot, price: exact(multiply(snapshot.price, ratio)) })
  known.set(snapshot, ofModel.set(ratio, price))
  return price
}

/** Words that no price is known for change nothing: it is for the vendor to judge them. */
function ratioOf(model: string, { size = SQUARE, quality = STANDARD }: Picture): number {
  const ratios = own(pictureRatios, model)
  const bySize = ratios && (own(ratios, quality) ?? ratios[STANDARD])
  if (!bySize) return 1
  return own(bySize, size) ?? own(bySize, SQUARE) ?? 1
}

/** The same of every kind that has a price of its own, as `hd 1024x1792`. */
export function pictureKinds(model: string): Record<string, number> {
  const kinds: Record<string, number> = {}
  for (const [quality, bySize] of Object.entries(own(pictureRatios, model) ?? {}))
    for (const [size, ratio] of Object.entries(bySize))
      kinds[quality === STANDARD ? size : `${quality} ${size}`] = ratio
  return kinds
}

function own<Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
