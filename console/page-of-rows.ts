/** A page of a list, as the console asks for it. */
export interface PageOfRows<Row> {
  readonly items: readonly Row[]
  readonly total: number
}

/** Lists answer in two forms; the console asks for the one with a total, which TypeScript cannot know. */
export function asPage<Row>(found: readonly Row[] | PageOfRows<Row>): PageOfRows<Row> {
  return 'items' in found ? found : { items: found, total: found.length }
}
