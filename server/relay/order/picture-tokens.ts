import { divide, exact, multiply } from '../../ledger/price/decimal.ts'
import type { Fee, PriceSnapshot } from '../../ledger/price/price-snapshot.ts'

/** Of a model whose pictures are paid by the call: its tokens for one of the size that the price is for, and of others. */
interface PictureModel {
  readonly model: string
  readonly paid: number
  readonly sizes: Readonly<Record<string, number>>
}

const models: readonly PictureModel[] = [
  { model: 'gemini-2.5-flash-image', paid: 1290, sizes: { '1K': 1290 } },
  { model: 'gemini-3-pro-image', paid: 1120, sizes: { '1K': 1120, '2K': 1120, '4K': 2000 } },
  {
    model: 'gemini-3.1-flash-image',
    paid: 747,
    sizes: { '512': 747, '512px': 747, '0.5K': 747, '1K': 1120, '2K': 1680, '4K': 2520 },
  },
]
const USUAL_SIZE = '1K'

function known(name: string): PictureModel | undefined {
  return models.find(({ model }) => name.startsWith(model))
}

/** Picture tokens beyond those that so many calls pay for: a picture was larger, or one of several. */
export function furtherPictures(
  { kind, model }: PriceSnapshot,
  told: number | undefined,
  calls: number,
): number {
  const paid = kind === 'call' && told ? known(model)?.paid : undefined
  return paid === undefined || !told ? 0 : Math.max(0, told - paid * calls)
}

/** What they cost, in proportion. */
export function feeOfPictures(price: PriceSnapshot, tokens: number): Fee | undefined {
  const paid = known(price.model)?.paid
  if (price.kind !== 'call' || paid === undefined || tokens <= 0) return undefined
  const each = exact(multiply(divide(price.price, paid), 1000))
  return { name: 'image output', count: tokens, price: each, quotaPerUnit: price.quotaPerUnit }
}

/** For how many calls a picture of a size is paid; of a model that is not known yet, the most. */
export function callsOfPicture(model: string | undefined, size: string = USUAL_SIZE): number {
  const possible = model === undefined ? models : models.filter(one => model.startsWith(one.model))
  const name = size.toUpperCase().replace('PX', 'px')
  const most = possible.map(({ paid, sizes }) => (sizes[name] ?? Math.max(...Object.values(sizes))) / paid)
  return Math.max(1, ...most)
}

/** For how many calls the largest picture is paid, of whichever size was asked for. */
export function mostCallsOfPicture(name: string): number {
  const model = known(name)
  return model ? Math.max(...Object.values(model.sizes)) / model.paid : 1
}
