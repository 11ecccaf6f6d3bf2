import { asArray, asNumber, asObject, type JsonObject, parseObject } from '../../dialects/json.ts'
import { readUsage as readChatUsage } from '../../dialects/openai-chat/read-usage.ts'
import { readUsage as readResponsesUsage } from '../../dialects/openai-responses/read-usage.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { Amounts, PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import { roughInput } from '../../relay/counting/estimate-input.ts'
import { asCharged, believe, tellsAll } from '../../relay/order/charge-usage.ts'
import { readPlainUsage } from '../../relay/plain/read-usage.ts'
import { LARGEST_JSON } from '../../relay/request/read-body.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { BatchRow } from './batch-rows.ts'
import type { BatchReport } from './read-batch.ts'
import { LineSplitter } from './split-lines.ts'

/** What the answers of a batch used. */
export interface Used {
  /** How many requests were answered. */
  readonly answered: number
  /** Of those whose input is no longer than usual, and of the others: they may have another price. */
  readonly usual: Amounts
  readonly long: Amounts
  /** Of the file that tells. */
  readonly bytes: number
}

const IDLE_MS = 60_000

type Sum = { -readonly [Category in keyof Amounts]: Amounts[Category] }

/** Reads its output, of which nothing is kept. Undefined when the upstream has none, and should. */
export async function addUpOutput(
  upstream: Upstream,
  batch: BatchRow,
  { outputFileId, completed }: BatchReport,
  price: PriceSnapshot,
): Promise<Used | undefined> {
  const sums = new Sums(batch, price)
  if (outputFileId === undefined) return completed > 0 ? undefined : sums.used
  let response: Response
  try {
    const path = `/v1/files/${encodeURIComponent(outputFileId)}/content`
    response = await upstream.send({ path, headers: { accept: '*/*' }, idleMs: IDLE_MS })
  } catch (error) {
    if (error instanceof UpstreamFailure && error.problem?.status === 404) return undefined
    throw error
  }
  const lines = new LineSplitter(LARGEST_JSON)
  for await (const chunk of response.body ?? []) {
    sums.bytes += chunk.length
    for (const line of lines.push(chunk)) sums.add(line)
    // What waits in the socket comes without a pause, and others want their turn.
    await Bun.sleep(0)
  }
  sums.add(lines.end())
  return sums.used
}

/** By what the upstream says of all of it together; else as many answers as it counts, of the usual size. */
export function estimateOutput(batch: BatchRow, { usage, completed, total }: BatchReport): Used {
  const told = believe(usage && readResponsesUsage({ usage }), batch.request_id, batch.line_count)
  const isWhole = says(batch) ? tellsAll(told) : Boolean(told?.input)
  if (told && isWhole)
    return { answered: completed, usual: { ...asCharged(told), calls: completed }, long: {}, bytes: 0 }
  const answered = Math.min(completed, total || completed, batch.line_count)
  const input = roughInput(Math.ceil(batch.input_bound / batch.line_count)) * answered
  const output = says(batch) ? input : 0
  return { answered, usual: { input, output, calls: answered }, long: {}, bytes: 0 }
}

class Sums {
  bytes = 0
  readonly #batch: BatchRow
  /** Input that is longer has a price of its own. */
  readonly #longFrom: number
  readonly #usual: Sum = { calls: 0 }
  readonly #long: Sum = { calls: 0 }
  #answered = 0

  constructor(batch: BatchRow, price: PriceSnapshot) {
    this.#batch = batch
    this.#longFrom = (price.kind === 'ratio' && price.long?.over) || Number.POSITIVE_INFINITY
  }

  get used(): Used {
    return { answered: this.#answered, usual: this.#usual, long: this.#long, bytes: this.bytes }
  }

  /** Errors cost nothing. Undefined is a line that is too long to be looked at. */
  add(line: string | undefined): void {
    if (line?.trim() === '') return
    const response = line === undefined ? { status_code: 200 } : asObject(parseObject(line)?.response)
    const status = asNumber(response?.status_code) ?? 0
    if (!response || status < 200 || status >= 300) return
    const body = asObject('body' in response ? response.body : undefined) ?? {}
    const usage = this.#usageOf(body, line?.length ?? LARGEST_JSON)
    const sum = usage.input > this.#longFrom ? this.#long : this.#usual
    this.#answered++
    for (const [category, amount] of Object.entries({ ...asCharged(usage), calls: answersIn(body) })) {
      const name = category as keyof Amounts
      sum[name] = (sum[name] ?? 0) + (amount ?? 0)
    }
  }

  /** One that does not tell is counted by what it is long, as near as is known. */
  #usageOf(body: JsonObject, length: number): TokenUsage {
    const { endpoint, request_id, input_bound, line_count } = this.#batch
    const told = believe(readUsage(endpoint, body), request_id) ?? { input: 0, output: 0 }
    const output = says(this.#batch) ? roughInput(length) : 0
    const input = roughInput(Math.ceil(input_bound / line_count))
    return { ...told, input: told.input || input, output: told.output || output }
  }
}

/** Vectors are no output. */
function says({ endpoint }: BatchRow): boolean {
  return endpoint !== '/v1/embeddings'
}

function readUsage(endpoint: string, body: JsonObject): TokenUsage | undefined {
  if (endpoint === '/v1/responses') return readResponsesUsage(body)
  return endpoint === '/v1/chat/completions' ? readChatUsage(body.usage) : readPlainUsage(body)
}

/** Each is paid where calls have a price. */
function answersIn({ choices }: JsonObject): number {
  return Math.max(1, asArray(choices).length)
}
