import { formatPrice } from '../../price-of.ts'

type Prices = Readonly<Record<string, number>>

interface ToolPrices {
  readonly web_search_price: Prices
  readonly tool_price: Prices
}

/** What a thousand uses of the vendors' tools cost whatever the model: in a few words. */
export function sayToolPrices({ web_search_price, tool_price }: ToolPrices, groupRatio: number): string {
  const { default: search = 0 } = web_search_price
  const usual = Object.entries(tool_price).filter(([name]) => !name.includes(':'))
  return say([['web_search', search], ...usual], groupRatio)
}

/** The same for one model, where it is not the usual. */
export function sayOwnToolPrices(model: string, prices: ToolPrices, groupRatio: number): string {
  const own = Object.entries(prices.tool_price).flatMap(([name, price]): [string, number][] => {
    const at = name.lastIndexOf(':')
    return at >= 0 && model.startsWith(name.slice(0, at)) ? [[name.slice(at + 1), price]] : []
  })
  return say([...searchesOf(model, prices.web_search_price), ...own], groupRatio)
}

/** What one search costs where a model makes one for every answer. */
export function searchPriceOf(model: string, { web_search_price }: ToolPrices, groupRatio: number): number {
  const [own] = searchesOf(model, web_search_price)
  return ((own?.[1] ?? web_search_price.default ?? 0) * groupRatio) / 1000
}

/** By the longest beginning of its name; what stands after a colon is how much is read. */
function searchesOf(model: string, prices: Prices): [string, number][] {
  const known = Object.entries(prices).map(([key, price]) => {
    const [, beginning = '', size] = /^(.*?)(?::(low|medium|high))?$/.exec(key) ?? []
    return { beginning, size, price }
  })
  const fitting = known.filter(({ beginning }) => model.startsWith(beginning))
  const longest = Math.max(0, ...fitting.map(({ beginning }) => beginning.length))
  if (longest === 0) return []
  return fitting
    .filter(({ beginning }) => beginning.length === longest)
    .map(({ size, price }) => [size ? `web_search (${size})` : 'web_search', price])
}

function say(prices: readonly (readonly [string, number])[], groupRatio: number): string {
  return prices
    .filter(([, price]) => price > 0)
    .map(([name, price]) => `${name} ${formatPrice(price * groupRatio)}`)
    .join(' · ')
}
