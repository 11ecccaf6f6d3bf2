import type { JsonObject } from '../../dialects/json.ts'
import type { Usage } from '../../ledger/price/price-snapshot.ts'
import type { Order } from '../order/order.ts'
import { annotationIn, boundPages } from './count-pages.ts'
import type { Seen } from './seen.ts'

/** What `ToolPrice` calls a page of which more was made than it says. */
export const ANNOTATION = 'ocr_annotation'

/** Where a model is paid by its tokens, a page is a picture that is read, and at most so many words come of it. */
const PAGE_IN = 1000
const MOST_PAGE_OUT = 4000

/** As many pages as the vendor says, each of them a call; words are counted where they have a price. */
export async function chargePages(order: Order, fields: JsonObject, seen: Seen): Promise<Usage> {
  const { pages = boundPages(fields).usual, annotated = annotationIn(fields) ? pages : 0 } = seen
  const output = order.price.kind === 'ratio' ? await order.parts.counter.countText(seen.text) : 0
  return usageOfPages(order, { pages, annotated, output })
}

/** `output` is not known before the answer is there: then it is the most. */
export function usageOfPages(
  { price, book }: Order,
  {
    pages,
    annotated,
    output,
  }: { readonly pages: number; readonly annotated: number; readonly output?: number },
): Usage {
  const words = price.kind === 'ratio' && { input: pages * PAGE_IN, output: output ?? pages * MOST_PAGE_OUT }
  const each = book.toolPrice(price.model, ANNOTATION)
  const fees =
    annotated > 0 && each
      ? [{ name: ANNOTATION, count: annotated, price: each, quotaPerUnit: book.quotaPerUnit }]
      : undefined
  return { ...words, calls: pages, ...(fees && { fees }) }
}
