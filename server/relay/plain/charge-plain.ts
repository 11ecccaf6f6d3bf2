import type { Json } from '../../dialects/json.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import { cost, listedCost } from '../../ledger/price/cost.ts'
import type { Picture } from '../../ledger/price/picture-prices.ts'
import type { PriceSnapshot, Usage } from '../../ledger/price/price-snapshot.ts'
import { asCharged, believe } from '../order/charge-usage.ts'
import type { Order } from '../order/order.ts'
import { chargePages } from './charge-pages.ts'
import { countChoices } from './check-fields.ts'
import { collectTexts, countTokensGiven } from './collect-texts.ts'
import { searchUsage } from './count-searches.ts'
import type { Charging } from './flow-run.ts'
import { estimateSeconds, readSubtitleSeconds, secondsToSay } from './measure-audio.ts'
import { countPicturesIn, makesPictures, type PlainCall, soundOf } from './plain-call.ts'
import { countCharacters, MOST_AT_ONCE, readPictures } from './read-fields.ts'
import { mostUnits } from './search-units.ts'
import type { Seen } from './seen.ts'

/** Prices of sound are by the minute, which counts as this many tokens. */
const TOKENS_PER_MINUTE = 1000
/** For pictures whose vendor does not say: by quality, for a square, a tall and a wide one. */
const pictureTokens: Readonly<Record<string, readonly [number, number, number]>> = {
  low: [272, 408, 400],
  medium: [1056, 1584, 1568],
  high: [4160, 6240, 6208],
}
const USUAL_QUALITY = 'medium'
const PICTURE_IN = 1000
/** What vendors count for a picture on its way. */
const PARTIAL_PICTURE = 100

/** How an answer came to its end. */
export type Ending = 'whole' | 'client' | 'upstream'

export function chargingOf(order: Order, call: PlainCall): Charging {
  return {
    certain: seen => certainCharge(order, call, seen),
    usage: (seen, ending) => chargePlain(order, call, seen, ending),
  }
}

/** What is to be paid. Undefined: nothing of use was made. */
export async function chargePlain(
  order: Order,
  call: PlainCall,
  seen: Seen,
  ending: Ending = 'whole',
): Promise<Usage | undefined> {
  if (call.capability === 'search') return ending === 'whole' ? searchUsage(call.fields) : undefined
  if (ending !== 'whole' && !hasProduced(call, seen, ending)) return undefined
  if (call.capability === 'ocr') return chargePages(order, call.fields, seen)
  const reported = believe(seen.usage, order.incoming.requestId)
  const usage = reported
    ? await withUntold(order, call, seen, asReported(call, reported))
    : await countUsage(order, call, seen, ending)
  return { ...asCharged(usage), calls: callsOf(call, seen, ending) }
}

/** Servers that do not count say zero: what they leave out of a completion is counted here. */
async function withUntold(order: Order, call: PlainCall, seen: Seen, told: TokenUsage): Promise<TokenUsage> {
  const isWhole = told.input > 0 && (told.output > 0 || seen.text === '')
  if (call.capability !== 'completions' || isWhole) return told
  const counted = await countTexts(order, call, seen)
  return { ...told, input: told.input || counted.input, output: told.output || counted.output }
}

/** What is certainly to be paid for what has come so far, where that is known before the end. */
function certainCharge(order: Order, call: PlainCall, seen: Seen): number {
  if (call.capability !== 'speech' || seen.bytes === 0) return 0
  return cost(order.price, asCharged(countSpeech(order, call, seen, 'upstream')))
}

/** Enough to tell two prices apart, and no long input. */
const MANY = 100_000

/** Whether output has a price of its own; else the input's price is for everything. Also for a group that pays none. */
function paysForWords(price: PriceSnapshot): boolean {
  return listedCost(price, { output: MANY }) !== listedCost(price, { input: MANY })
}

export function tokensOfSound(seconds: number): number {
  return Math.max(1, Math.ceil((seconds * TOKENS_PER_MINUTE) / 60))
}

/** One audio token of output to a character comes near to twenty a second. */
export function speechUsage(price: PriceSnapshot, characters: number): TokenUsage {
  if (!paysForSpeech(price)) return { input: characters, output: 0 }
  return { input: characters, output: characters, audioOutput: characters }
}

/** Whether sound is paid by its own length; else it is paid with the words. */
export function paysForSpeech(price: PriceSnapshot): boolean {
  const asWords = listedCost(price, { output: MANY })
  return paysForWords(price) || listedCost(price, { audioOutput: MANY }) !== asWords
}

export function picturesUsage(call: PlainCall, pictures: number): TokenUsage {
  const imageInput = call.capability === 'image-edits' ? countPicturesIn(call) * PICTURE_IN : 0
  return { input: imageInput, output: pictures * tokensOfPicture(call.picture ?? {}), imageInput }
}

function tokensOfPicture({ size = '', quality = '' }: Picture): number {
  const known = Object.hasOwn(pictureTokens, quality) ? quality : USUAL_QUALITY
  const [square, tall, wide] = pictureTokens[known] ?? [0, 0, 0]
  if (size === '1024x1536') return tall
  return size === '1536x1024' ? wide : square
}

/** Half a sound or a transcript is of use. Half of anything else is paid only by whoever leaves before it is whole. */
function hasProduced({ capability }: PlainCall, seen: Seen, ending: Ending): boolean {
  if (ending === 'client') return seen.bytes + seen.pictures + seen.partial + seen.text.length > 0
  return capability === 'speech'
    ? seen.bytes > 0
    : seen.bytes === 0 && (seen.pictures > 0 || seen.text !== '')
}

function callsOf(call: PlainCall, seen: Seen, ending: Ending): number {
  if (call.capability === 'completions') return countChoices(call.fields)
  if (call.capability === 'rerank') return seen.units ?? 1
  if (call.capability === 'web-search') return Math.min(seen.units ?? 1, mostUnits(call.fields))
  if (!makesPictures(call.capability)) return 1
  const least = seen.hasFailed ? 0 : 1
  return Math.min(mostPictures(call, seen), Math.max(least, madePictures(seen, ending)))
}

function mostPictures({ fields }: PlainCall, { mayBeMore }: Seen): number {
  return mayBeMore ? MOST_AT_ONCE : readPictures(fields)
}

/** The last that whoever leaves has seen on its way is nearly finished, and its vendor finishes it. */
function madePictures({ pictures, partial, bytes }: Seen, ending: Ending): number {
  // What is no stream was all made before its first byte came.
  if (ending === 'client' && bytes > 0) return MOST_AT_ONCE
  return ending === 'client' && partial > 0 ? pictures + 1 : pictures
}

/** What a vendor counts as output of speech is sound. */
function asReported({ capability }: PlainCall, usage: TokenUsage): TokenUsage {
  return capability === 'speech' ? { ...usage, audioOutput: usage.output } : usage
}

function countUsage(order: Order, call: PlainCall, seen: Seen, ending: Ending): Promise<TokenUsage> {
  switch (call.capability) {
    case 'speech':
      return Promise.resolve(countSpeech(order, call, seen, ending))
    case 'transcriptions':
    case 'translations':
      return countTranscript(order, call, seen)
    case 'images':
    case 'image-edits':
      return countPictures(order, call, seen, ending)
    default:
      return countTexts(order, call, seen)
  }
}

function countSpeech({ price }: Order, { fields }: PlainCall, seen: Seen, ending: Ending): TokenUsage {
  const all = charactersOf(String(fields.input), seen.characters)
  const isRaw = fields.response_format === 'pcm' || fields.response_format === 'wav'
  // A vendor that breaks off is paid for no more than has come, at the most bytes that a character takes.
  const come = Math.ceil(seen.bytes / (isRaw ? 3200 : 1000))
  return speechUsage(price, ending === 'upstream' ? Math.min(all, come) : all)
}

/** Some vendors count one character of Chinese as two, and none more than a few. */
const MOST_PER_CHARACTER = 4

function charactersOf(text: string, said: number | undefined): number {
  const own = countCharacters(text)
  return said !== undefined && said > 0 && said <= own * MOST_PER_CHARACTER ? said : own
}

async function countTranscript({ price, parts }: Order, call: PlainCall, seen: Seen): Promise<TokenUsage> {
  const guessed = Math.max(estimateSeconds(soundOf(call)), secondsToSay(seen.text))
  const seconds = seen.seconds ?? readSubtitleSeconds(seen.text) ?? guessed
  const input = tokensOfSound(seconds)
  // Where only the minute has a price, the words are paid with it.
  const output = paysForWords(price) ? await parts.counter.countText(seen.text) : 0
  return { input, output, audioInput: input }
}

async function countPictures(
  { parts }: Order,
  call: PlainCall,
  seen: Seen,
  ending: Ending,
): Promise<TokenUsage> {
  const prompt = await parts.counter.countTexts(collectTexts(call.fields.prompt))
  const made = Math.min(mostPictures(call, seen), madePictures(seen, ending))
  const { input, output, imageInput } = picturesUsage(call, made)
  return { input: input + prompt, output: output + seen.partial * PARTIAL_PICTURE, imageInput }
}

/** Fields that models of texts read. */
const readFields = ['input', 'prompt', 'query', 'documents', 'content', 'requests'] as const

async function countTexts({ parts }: Order, { fields }: PlainCall, seen: Seen): Promise<TokenUsage> {
  const given = readFields.map((name): Json => fields[name] ?? null)
  const [input, output] = await Promise.all([
    parts.counter.countTexts(collectTexts(given)),
    parts.counter.countText(seen.text),
  ])
  return { input: Math.max(1, input + countTokensGiven(given)), output }
}
