import type { ListedPrice } from '../../../contract/price-sources.ts'
import { name as modelName } from '../../../contract/settings/define.ts'
import { ownerOf } from '../model-owners.ts'
import { isSamePrice } from './figures.ts'

/** What a list says of a name. */
export interface Offer {
  readonly name: string
  /** Undefined where it says nothing that could be taken over. */
  readonly price: ListedPrice | undefined
  /** `other` where the list names somebody's offer of the model, which counts if none names the model itself. */
  readonly by: 'name' | 'other'
}

export interface PriceList {
  readonly prices: ReadonlyMap<string, ListedPrice>
  /** How many names there are besides, without a price that could be taken over. */
  readonly leftOut: number
}

type Shelf = Map<string, ListedPrice | 'disputed'>

/** One price for each name. Where sellers disagree there is none: nobody knows which is meant. */
export function gatherPrices(offers: readonly Offer[]): PriceList {
  const names = new Set<string>()
  const shelves: Record<Offer['by'], Shelf> = { name: new Map(), other: new Map() }
  for (const { name, price, by } of offers) {
    if (!isUsableName(name)) continue
    names.add(name)
    if (price) shelves[by].set(name, agreed(shelves[by].get(name), price))
  }
  const prices = new Map<string, ListedPrice>()
  for (const name of names) {
    const price = shelves.name.get(name) ?? shelves.other.get(name)
    if (price !== undefined && price !== 'disputed') prices.set(name, price)
  }
  return { prices, leftOut: names.size - prices.size }
}

/** Who says more about the same price is believed. */
function agreed(known: ListedPrice | 'disputed' | undefined, price: ListedPrice): ListedPrice | 'disputed' {
  if (known === undefined) return price
  if (known === 'disputed' || isSamePrice(known, price)) return known
  return isSamePrice(price, known) ? price : 'disputed'
}

/** A comma ends a name in a channel's list of models. */
const unusable = /[\p{C},]|^\s|\s$/u

function isUsableName(name: string): boolean {
  return modelName.safeParse(name).success && !unusable.test(name)
}

/** As the public lists call those who make models and sell them too. */
const houses: Readonly<Record<string, readonly string[]>> = {
  Alibaba: ['alibaba', 'dashscope'],
  Anthropic: ['anthropic'],
  Baidu: ['baidu', 'qianfan'],
  ByteDance: ['volcengine'],
  Cohere: ['cohere', 'cohere_chat'],
  DeepSeek: ['deepseek'],
  Google: ['google', 'gemini'],
  Jina: ['jina', 'jina_ai'],
  MiniMax: ['minimax'],
  Mistral: ['mistral', 'mistralai'],
  Moonshot: ['moonshot', 'moonshotai'],
  OpenAI: ['openai'],
  Perplexity: ['perplexity'],
  StepFun: ['stepfun'],
  Tencent: ['tencent'],
  'Voyage AI': ['voyage'],
  xAI: ['xai', 'x-ai'],
  Zhipu: ['zhipuai', 'zhipu', 'zai', 'z-ai'],
}

/** Whether a seller is the one who made the model. */
export function isMaker(seller: string, model: string): boolean {
  return houses[ownerOf(model)]?.includes(seller) ?? false
}
