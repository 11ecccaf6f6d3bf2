import { OWN_SEARCH } from '../../dialects/openai-chat/own-searches.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { PictureTokens } from '../../dialects/usage.ts'
import { cost } from '../../ledger/price/cost.ts'
import { type Exact, exact, multiply } from '../../ledger/price/decimal.ts'
import type { PriceBook } from '../../ledger/price/price-book.ts'
import type { Fee, PriceSnapshot, Usage } from '../../ledger/price/price-snapshot.ts'
import { ASKED_SEARCH, type HostedTool } from '../request/hosted-tools.ts'
import { feeOfPictures, furtherPictures } from './picture-tokens.ts'

/** More than any model does in one answer. An upstream that says so is not believed. */
const MOST_USES = 1000
const MOST_PICTURE_TOKENS = 4_000_000
/** So many uses are held for, of a tool that the model may use as often as it likes. */
const HELD_USES = 5

/** Whether `addFees` has anything to add; hardly ever. */
export function hasFees({ kind, search }: PriceSnapshot, usage: TokenUsage): boolean {
  return (
    (kind === 'call' && usage.imageOutput !== undefined) ||
    usage.tools !== undefined ||
    usage.pictures !== undefined ||
    usage.searchSize !== undefined ||
    (search?.counts !== undefined && (search.counts === 'always' || (usage.searches ?? 0) > 1))
  )
}

/** Anthropic's newer searches run code themselves, for nothing; and a client's own tool may have any name. */
const paidIfOffered: ReadonlySet<string> = new Set(['code_execution', OWN_SEARCH])

type AddFee = (name: string, count: number, each: Exact | undefined) => void

/** `charged` with what vendors ask on top of tokens and calls: for larger pictures, their own tools, and searches. */
export function addFees(
  book: PriceBook,
  price: PriceSnapshot,
  usage: TokenUsage,
  charged: Usage,
  offered: readonly HostedTool[] | undefined,
): Usage {
  const fees: Fee[] = []
  const add: AddFee = (name, count, each) => {
    if (each !== undefined && each !== 0 && count > 0)
      fees.push({ name, count, price: each, quotaPerUnit: book.quotaPerUnit })
  }
  const further = furtherPictures(price, usage.imageOutput, charged.calls ?? 1)
  const pictures = feeOfPictures(price, further)
  if (pictures) add(pictures.name, pictures.count, pictures.price)
  addTools(book, price, usage, offered, add)
  const { searches: told, ...others } = charged
  const searches = price.search?.counts === 'once' ? Math.min(told ?? 0, 1) : told
  // Perplexity asks by how widely it searched, in place of the usual price.
  if (usage.searchSize !== undefined)
    add(`web_search (${usage.searchSize})`, searches ?? 0, book.searchPrice(price.model, usage.searchSize))
  else if (price.search?.counts === 'always' || searches)
    return { ...others, searches: searches ?? 1, ...(fees.length > 0 && { fees }) }
  return { ...others, ...(fees.length > 0 && { fees }) }
}

function addTools(
  book: PriceBook,
  { model }: PriceSnapshot,
  usage: TokenUsage,
  offered: readonly HostedTool[] | undefined,
  add: AddFee,
): void {
  const pictures = usage.pictures && priceOfPictures(book, usage.pictures)
  for (const { name, count, price } of pictures ?? []) add(name, count, price)
  for (const [name, count] of Object.entries(usage.tools ?? {})) {
    if (name === 'image_generation' && pictures) continue
    if (paidIfOffered.has(name) && !offered?.some(tool => tool.name === name)) continue
    const each = book.toolPrice(model, name) ?? (isSearch(name) ? book.searchPrice(model) : undefined)
    add(name, settledFor(name, offered) ?? Math.min(count, MOST_USES), each)
  }
}

/** Where all of a tool's uses were settled before; undefined where the answer tells how many there are. */
function settledFor(name: string, offered: readonly HostedTool[] | undefined): number | undefined {
  let sum: number | undefined
  for (const tool of offered ?? []) {
    if (tool.name !== name) continue
    if (tool.settled === undefined) return undefined
    sum = (sum ?? 0) + tool.settled
  }
  return sum
}

function isSearch(tool: string): boolean {
  return tool.startsWith('web_search') || tool === ASKED_SEARCH
}

interface Part {
  readonly name: string
  readonly count: number
  readonly price: Exact
}

const DOLLARS_PER_THOUSAND_AT_RATIO_ONE = 0.002

/** Pictures that a tool made, by the tokens of the picture model. Undefined where that has no price by tokens. */
function priceOfPictures(
  book: PriceBook,
  { model, input, imageInput, cachedText, cachedImages, output }: PictureTokens,
): readonly Part[] | undefined {
  const price = book.findPrice(model)
  if (price?.kind !== 'ratio' || Math.max(input, output) > MOST_PICTURE_TOKENS) return undefined
  const each = (...ratios: Exact[]): Exact =>
    exact(multiply(price.modelRatio, DOLLARS_PER_THOUSAND_AT_RATIO_ONE, ...ratios))
  return [
    { name: `${model} input`, count: input - imageInput - cachedText, price: each() },
    { name: `${model} cached input`, count: cachedText, price: each(price.cacheRatio) },
    { name: `${model} image input`, count: imageInput - cachedImages, price: each(price.imageRatio) },
    {
      name: `${model} cached image input`,
      count: cachedImages,
      price: each(price.imageRatio, price.cacheRatio),
    },
    { name: `${model} output`, count: output, price: each(price.completionRatio) },
  ]
}

/** What to hold for the tools on offer: `least` for what is paid in any case, `most` for some uses of the others. */
export function boundFees(
  book: PriceBook,
  price: PriceSnapshot,
  offered: readonly HostedTool[] | undefined,
): { readonly most: number; readonly least: number } {
  const { search } = price
  const certain: Fee[] = []
  const possible: Fee[] = []
  const { quotaPerUnit } = book
  if (search?.counts === 'always')
    certain.push({ name: 'web_search', count: 1, price: search.price, quotaPerUnit })
  for (const tool of offered ?? []) {
    const { name } = tool
    const each = isSearch(name) ? search?.price : book.toolPrice(price.model, name)
    if (each === undefined) continue
    const sure = tool.due?.gigabytes ?? tool.settled ?? tool.certain
    const more = (tool.most ?? 0) - sure
    if (more > 0) possible.push({ name, count: more, price: each, quotaPerUnit })
    if (sure > 0) certain.push({ name, count: sure, price: each, quotaPerUnit })
    else if (tool.settled === undefined)
      possible.push({ name, count: usesToHold(tool, search), price: each, quotaPerUnit })
  }
  const of = (fees: readonly Fee[]): number => (fees.length === 0 ? 0 : cost(price, { calls: 0, fees }))
  const least = of(certain)
  return { least, most: least + of(possible) }
}

function usesToHold({ name, atMost = HELD_USES }: HostedTool, search: PriceSnapshot['search']): number {
  const isOne = name === 'image_generation' || (isSearch(name) && search?.counts !== undefined)
  return Math.max(0, Math.trunc(Math.min(isOne ? 1 : HELD_USES, atMost)))
}
