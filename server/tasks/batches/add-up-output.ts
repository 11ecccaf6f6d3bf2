import { asObject, type JsonObject, parseObject } from '../../dialects/json.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { Amounts, PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import { roughInput } from '../../relay/counting/estimate-input.ts'
import { asCharged, believe, tellsAll } from '../../relay/order/charge-usage.ts'
import { furtherPictures } from '../../relay/order/picture-tokens.ts'
import { LARGEST_JSON } from '../../relay/request/read-body.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { BatchRow } from './batch-rows.ts'
import type { Answered, BatchHost, BatchReport } from './host.ts'
import type { ModelPrice } from './prices.ts'
import { LineSplitter } from './split-lines.ts'

/** What the answers of one model used. */
export interface UsedOfModel {
  /** How many requests were answered. */
  readonly answered: number
  /** Of those whose input is no longer than usual, and of the others: they may have another price. */
  readonly usual: Amounts
  readonly long: Amounts
  /** Tokens of pictures beyond those that the calls pay for. */
  readonly pictureTokens?: number
}

/** What the answers of a batch used, by its models in their turn. */
export interface Used {
  readonly models: readonly UsedOfModel[]
  /** Of the file that tells. */
  readonly bytes: number
}

type Sum = { -readonly [Category in keyof Amounts]: Amounts[Category] }

/** Reads its output, of which nothing is kept. Undefined when the upstream has none, or not all of it, and should. */
export async function addUpOutput(
  host: BatchHost,
  upstream: Upstream,
  batch: BatchRow,
  report: BatchReport,
  prices: readonly ModelPrice[],
): Promise<Used | undefined> {
  const sums = new Sums(host, batch, prices)
  const response = await host.openOutput(upstream, batch, report)
  if (response === 'none') return sums.used
  if (response === undefined) return undefined
  if (!(response instanceof Response)) {
    for (const one of response) sums.addAnswer(asObject(one) ?? {}, () => JSON.stringify(one).length)
    return sums.used
  }
  const lines = new LineSplitter(LARGEST_JSON)
  for await (const chunk of response.body ?? []) {
    sums.bytes += chunk.length
    for (const line of lines.push(chunk)) sums.add(line)
    // What waits in the socket comes without a pause, and others want their turn.
    await Bun.sleep(0)
  }
  sums.add(lines.end())
  // What comes without a length and is cut looks no different from what has ended.
  const isCut = host.tellsEach && sums.answered < Math.min(report.completed, batch.line_count)
  return isCut ? undefined : sums.used
}

/** By what the upstream says of all of it together; else as many answers as it counts, of the usual size. */
export function estimateOutput(
  host: Pick<BatchHost, 'says' | 'readSum'>,
  batch: BatchRow,
  { usage, completed, total }: BatchReport,
  prices: readonly ModelPrice[],
): Used {
  const told = believe(host.readSum?.(usage), batch.request_id, batch.line_count)
  const isWhole = host.says(batch) ? tellsAll(told) : Boolean(told?.input)
  if (told && isWhole && prices.length === 1) {
    const usual = { ...asCharged(told), calls: completed }
    return { models: [{ answered: completed, usual, long: {} }], bytes: 0 }
  }
  const each = roughInput(Math.ceil(batch.input_bound / batch.line_count))
  const answered = Math.min(completed, total || completed, batch.line_count)
  const models = shareOut(answered, prices).map(count => {
    const input = each * count
    return {
      answered: count,
      usual: { input, output: host.says(batch) ? input : 0, calls: count },
      long: {},
    }
  })
  return { models, bytes: 0 }
}

/** To each model as many as it has requests, in proportion; what is left over is the first's. */
function shareOut(answered: number, prices: readonly ModelPrice[]): number[] {
  const all = prices.reduce((sum, { lines }) => sum + lines, 0)
  const [, ...others] = prices.map(({ lines }) => Math.floor((answered * lines) / Math.max(1, all)))
  return [answered - others.reduce((sum, count) => sum + count, 0), ...others]
}

const unread: Answered = { usage: undefined, answers: 1 }

interface SumOfModel {
  readonly price: PriceSnapshot
  /** Input that is longer has a price of its own. */
  readonly longFrom: number
  readonly usual: Sum
  readonly long: Sum
  answered: number
  pictureTokens: number
}

class Sums {
  bytes = 0
  readonly #host: BatchHost
  readonly #batch: BatchRow
  readonly #models: readonly SumOfModel[]

  constructor(host: BatchHost, batch: BatchRow, prices: readonly ModelPrice[]) {
    this.#host = host
    this.#batch = batch
    this.#models = prices.map(({ price }) => ({
      price,
      longFrom: (price.kind === 'ratio' && price.long?.over) || Number.POSITIVE_INFINITY,
      usual: { calls: 0 },
      long: { calls: 0 },
      answered: 0,
      pictureTokens: 0,
    }))
  }

  get answered(): number {
    return this.#models.reduce((sum, { answered }) => sum + answered, 0)
  }

  get used(): Used {
    return { models: this.#models, bytes: this.bytes }
  }

  /** Undefined is a line that is too long to be looked at. */
  add(line: string | undefined): void {
    if (line?.trim() === '') return
    if (line === undefined) return this.#count(unread, () => LARGEST_JSON)
    const json = parseObject(line)
    if (json) this.addAnswer(json, () => line.length)
  }

  /** Errors cost nothing. */
  addAnswer(json: JsonObject, length: () => number): void {
    const answered = this.#host.readAnswer(this.#batch, json)
    if (answered) this.#count(answered, length)
  }

  #count(answered: Answered, length: () => number): void {
    const usage = this.#usageOf(answered, answered.length ?? length)
    const of = this.#models[answered.model ?? 0] ?? this.#models[0]
    if (!of) return
    const sum = usage.input > of.longFrom ? of.long : of.usual
    of.answered++
    of.pictureTokens += furtherPictures(of.price, usage.imageOutput, answered.answers)
    for (const [category, amount] of Object.entries({ ...asCharged(usage), calls: answered.answers })) {
      const name = category as keyof Amounts
      sum[name] = (sum[name] ?? 0) + (amount ?? 0)
    }
  }

  /** One that does not tell is counted by what it is long, as near as is known. */
  #usageOf(answered: Answered, length: () => number): TokenUsage {
    const { request_id, input_bound, line_count } = this.#batch
    const told = believe(answered.usage, request_id) ?? { input: 0, output: 0 }
    if (answered.isCounted && told === answered.usage) return told
    const says = this.#host.says(this.#batch)
    const input = roughInput(Math.ceil(input_bound / line_count))
    const output = told.output || (says ? roughInput(length()) : 0)
    return { ...told, input: told.input || input, output }
  }
}
