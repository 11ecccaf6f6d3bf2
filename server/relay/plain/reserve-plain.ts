import { asArray, asObject, asText, type Json } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import { type Bounds, cost, highestCost } from '../../ledger/price/cost.ts'
import type { Usage } from '../../ledger/price/price-snapshot.ts'
import { roughInput } from '../counting/estimate-input.ts'
import { asCharged } from '../order/charge-usage.ts'
import type { Order } from '../order/order.ts'
import { holdUnseen } from '../order/reserve.ts'
import { setAside } from '../order/set-aside.ts'
import { ANNOTATION, usageOfPages } from './charge-pages.ts'
import { paysForSpeech, picturesUsage, speechUsage, tokensOfSound } from './charge-plain.ts'
import { annotationIn, boundPages } from './count-pages.ts'
import { searchUsage } from './count-searches.ts'
import { estimateSeconds, mostSeconds } from './measure-audio.ts'
import { countPicturesIn, isForm, type PlainCall, soundOf } from './plain-call.ts'
import { countCharacters, readPictures } from './read-fields.ts'
import { mostUnits } from './search-units.ts'

const MOST_PER_PICTURE_OUT = 16_384
const MOST_PER_PICTURE_IN = 8192
/** Nobody speaks faster. */
const MOST_TOKENS_SPOKEN = 10
/** Of sound that is made. */
const MOST_TOKENS_PER_BYTE = 4
const MOST_TOKENS_A_SECOND = 50
/** Of those that a vendor counts as one search: longer ones are split, and each part of them is one, with the query in it. */
const DOCUMENTS_PER_UNIT = 100
const TOKENS_PER_DOCUMENT = 500

/** The most that a call may use, and the least without which it is not worth beginning. */
interface Extent {
  readonly most: Bounds
  readonly least: Usage
}

/** Sets money aside; such an answer cannot be limited. */
export async function reservePlain(
  order: Order,
  call: PlainCall,
  onRefused: (error: unknown) => void,
): Promise<undefined> {
  const { price } = order
  if (call.capability === 'search') {
    const most = cost(price, searchUsage(call.fields))
    await setAside(order, { most, least: most }, onRefused)
    return
  }
  if (call.capability === 'ocr') {
    await reservePages(order, call, onRefused)
    return
  }
  const extent = extentOf(order, call)
  const least = cost(price, extent.least)
  await setAside(order, { most: Math.max(highestCost(price, extent.most), least), least }, onRefused)
}

/** Pages that are named are held for. Of others it is held as for input whose length only its vendor knows. */
function reservePages(
  order: Order,
  { fields }: PlainCall,
  onRefused: (error: unknown) => void,
): Promise<number> | undefined {
  const asked = annotationIn(fields)
  if (asked && !order.hasToolPrice(ANNOTATION)) refuseNamed(asked)
  const { usual, most } = boundPages(fields)
  const costOf = (pages: number): number =>
    cost(order.price, usageOfPages(order, { pages, annotated: asked ? pages : 0 }))
  const known = costOf(usual)
  if (usual === most) return setAside(order, { most: known, least: known }, onRefused)
  const least = costOf(1)
  const possible = costOf(most)
  const limiting =
    possible > 0 ? holdUnseen(order, { usual: known, least, possible, wanted: possible }) : undefined
  return limiting ?? setAside(order, { most: known, least }, onRefused)
}

function extentOf(order: Order, call: PlainCall): Extent {
  switch (call.capability) {
    case 'speech':
      return extentOfSpeech(order, call)
    case 'transcriptions':
    case 'translations':
      return extentOfSound(call)
    case 'images':
    case 'image-edits':
      return extentOfPictures(call)
    default:
      return extentOfTexts(call)
  }
}

function extentOfSpeech({ price }: Order, { fields }: PlainCall): Extent {
  const input = asText(fields.input) ?? ''
  const said = countCharacters(input)
  const told = countCharacters(asText(fields.instructions) ?? '')
  // A sign of Chinese is a syllable, and has three bytes; the shortest word takes a second.
  const sound = bytesOf(input) * MOST_TOKENS_PER_BYTE + MOST_TOKENS_A_SECOND
  return {
    most: {
      inputAtMost: said + told,
      outputAtMost: paysForSpeech(price) ? sound : 0,
      audioOutput: true,
      cacheWrites: 'none',
    },
    least: asCharged(speechUsage(price, said)),
  }
}

function extentOfSound(call: PlainCall): Extent {
  const sound = soundOf(call)
  const seconds = mostSeconds(sound)
  return {
    most: {
      inputAtMost: tokensOfSound(seconds) + bytesOf(asText(call.fields.prompt) ?? ''),
      outputAtMost: Math.ceil(seconds * MOST_TOKENS_SPOKEN),
      audio: true,
      cacheWrites: 'none',
    },
    least: { audioInput: tokensOfSound(estimateSeconds(sound)) },
  }
}

function extentOfPictures(call: PlainCall): Extent {
  const pictures = readPictures(call.fields)
  const given = call.capability === 'image-edits' ? countPicturesIn(call) : 0
  return {
    most: {
      inputAtMost: bytesOf(asText(call.fields.prompt) ?? '') + given * MOST_PER_PICTURE_IN,
      outputAtMost: pictures * MOST_PER_PICTURE_OUT,
      calls: pictures,
      image: given > 0,
      cacheWrites: 'none',
    },
    least: { ...asCharged(picturesUsage(call, pictures)), calls: pictures },
  }
}

/** No token is shorter than a byte; where a query is read once with each document, it is counted so. */
function extentOfTexts({ body, capability, fields }: PlainCall): Extent {
  const bytes = isForm(body) ? body.bytes.length : bytesOf(body.text)
  const documents = asArray(fields.documents)
  const query = bytesOf(asText(fields.query) ?? '')
  const repeated = documents.length * query
  const searches = capability === 'web-search' ? mostUnits(fields) : undefined
  return {
    most: {
      inputAtMost: bytes + repeated,
      outputAtMost: 0,
      calls: searches ?? Math.max(1, Math.ceil(partsOf(documents, query) / DOCUMENTS_PER_UNIT)),
      cacheWrites: 'none',
    },
    least: { input: roughInput(bytes), calls: searches ?? 1 },
  }
}

function partsOf(documents: readonly Json[], query: number): number {
  const room = Math.max(TOKENS_PER_DOCUMENT / 2, TOKENS_PER_DOCUMENT - query)
  const lengthOf = (one: Json): number =>
    bytesOf(asText(one) ?? asText(asObject(one)?.text) ?? JSON.stringify(one))
  return documents.reduce<number>((sum, one) => sum + Math.max(1, Math.ceil(lengthOf(one) / room)), 0)
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
