import type { LogView } from '../../../contract/logs.ts'
import type { CallCharge, Charge, ChargePart } from '../../ui/amounts/charge.ts'

export interface BatchModel {
  readonly model: string
  readonly requests: number
  readonly prompt: number
  readonly completion: number
  readonly quota: number
}

/** What a row tells besides its fields. Rows of other programs may hold anything here, or nothing. */
interface LogOther {
  readonly numbers: Readonly<Record<string, number>>
  readonly texts: Readonly<Record<string, string>>
  readonly tools: readonly { readonly name: string; readonly count: number; readonly price: number }[]
  /** Of a batch that asked several models, what each came to. */
  readonly batchModels: readonly BatchModel[]
  /** Which channels were tried, in their order; administrators only. */
  readonly tried: readonly number[]
  /** Of those that failed, in the same order, how. */
  readonly failed: readonly string[]
  /** What guards have found, by rule and how often; for them too. */
  readonly guards: string | undefined
  /** What it cost the operator, in quota, where that is known; for them too. */
  readonly cost: number | undefined
}

const nothing: LogOther = {
  numbers: {},
  texts: {},
  tools: [],
  batchModels: [],
  tried: [],
  failed: [],
  guards: undefined,
  cost: undefined,
}
const known = new WeakMap<LogView, LogOther>()

/** Read once per row, however often it is drawn. */
export function readOther(row: LogView): LogOther {
  let other = known.get(row)
  if (other === undefined) {
    other = parseOther(row.other)
    known.set(row, other)
  }
  return other
}

function parseOther(text: string): LogOther {
  if (text === '') return nothing
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return nothing
  }
  if (typeof value !== 'object' || value === null) return nothing
  const fields = Object.entries(value)
  const finite = (entry: [string, unknown]): entry is [string, number] => Number.isFinite(entry[1])
  const written = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
  return {
    numbers: Object.fromEntries(fields.filter(finite)),
    texts: Object.fromEntries(fields.filter(written)),
    tools: readTools(value),
    batchModels: readBatchModels(value),
    ...readAdminInfo(value),
  }
}

function readTools(value: object): LogOther['tools'] {
  const given: unknown = 'tool_fees' in value ? value.tool_fees : undefined
  if (!Array.isArray(given)) return []
  return given.flatMap((fee: unknown) => {
    if (typeof fee !== 'object' || fee === null) return []
    const { name, count, price } = fee as Record<string, unknown>
    const isFee = typeof name === 'string' && Number.isFinite(count) && Number.isFinite(price)
    return isFee ? [{ name, count: Number(count), price: Number(price) }] : []
  })
}

function readBatchModels(value: object): BatchModel[] {
  const given: unknown = 'batch_models' in value ? value.batch_models : undefined
  if (!Array.isArray(given)) return []
  return given.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { model, ...counts } = one as Record<string, unknown>
    const { requests, prompt_tokens, completion_tokens, quota } = counts
    const figures = [requests, prompt_tokens, completion_tokens, quota]
    if (typeof model !== 'string' || !figures.every(Number.isFinite)) return []
    return [
      {
        model,
        requests: Number(requests),
        prompt: Number(prompt_tokens),
        completion: Number(completion_tokens),
        quota: Number(quota),
      },
    ]
  })
}

function readAdminInfo(value: object): Pick<LogOther, 'tried' | 'failed' | 'guards' | 'cost'> {
  const info: unknown = 'admin_info' in value ? value.admin_info : undefined
  const { use_channel: tried, failed, guards, cost } = (info ?? {}) as Readonly<Record<string, unknown>>
  return {
    tried: Array.isArray(tried) ? tried.map(Number).filter(id => Number.isSafeInteger(id) && id > 0) : [],
    failed: Array.isArray(failed) ? failed.map(String) : [],
    guards: typeof guards === 'object' && guards !== null ? writeGuards(guards) : undefined,
    cost: typeof cost === 'number' ? cost : undefined,
  }
}

function writeGuards(guards: object): string {
  return Object.entries(guards)
    .map(([name, count]) => `${name} × ${String(count)}`)
    .join(', ')
}

/** Whether it is the sum of a batch: nobody waited for that, and what was said is in its files. */
export function isBatch(row: LogView): boolean {
  return readOther(row).texts.batch_id !== undefined
}

/** Whether it was made in the background: nobody waited for it. */
export function isBackground(row: LogView): boolean {
  return readOther(row).texts.response_id !== undefined
}

/** How an answer that cost something broke off; undefined for one that came to its end. */
export function breakOf(row: LogView): string | undefined {
  return readOther(row).texts.broke_off
}

/** Milliseconds until the first token; undefined where it was not measured. */
export function firstTokenOf(row: LogView): number | undefined {
  const { frt } = readOther(row).numbers
  return frt !== undefined && frt > 0 ? frt : undefined
}

/** How the row's charge came about; undefined where it tells no price. */
export function chargeOf(row: LogView, quotaPerUnit: number): Charge | CallCharge | undefined {
  const { numbers, tools } = readOther(row)
  const { model_ratio: modelRatio, model_price: price = -1, group_ratio: groupRatio } = numbers
  if (groupRatio === undefined) return undefined
  const anyhow = {
    groupRatio,
    share: numbers.answer_cache_ratio,
    batch: numbers.batch_ratio,
    quotaPerUnit,
    searches: searchesOf(numbers),
    tools,
  }
  if (price >= 0) return { price, calls: numbers.calls ?? 1, ...anyhow }
  if (modelRatio === undefined) return undefined
  const parts = partsOf(numbers)
  const sum = (outputs: boolean) =>
    parts
      .filter(({ kind }) => (kind === 'audioOutput') === outputs)
      .reduce((all, { tokens }) => all + tokens, 0)
  return {
    // Some programs count what came from a cache beside the prompt.
    prompt: row.prompt_tokens >= sum(false) ? row.prompt_tokens - sum(false) : row.prompt_tokens,
    completion: Math.max(0, row.completion_tokens - sum(true)),
    completionRatio: numbers.completion_ratio ?? 1,
    modelRatio,
    parts,
    ...anyhow,
  }
}

function searchesOf({ web_search_call_count: count, web_search_price: price }: LogOther['numbers']) {
  return count !== undefined && price !== undefined ? { count, price } : undefined
}

function partsOf(numbers: LogOther['numbers']): ChargePart[] {
  const audio = numbers.audio_ratio ?? 1
  const parts: readonly [ChargePart['kind'], number | undefined, number | undefined][] = [
    ['cacheRead', numbers.cache_tokens, numbers.cache_ratio],
    ['cacheWrite', numbers.cache_creation_tokens, numbers.cache_creation_ratio],
    ['cacheWriteHour', numbers.cache_creation_tokens_1h, numbers.cache_creation_ratio_1h],
    ['image', numbers.image_input, numbers.image_ratio],
    ['audio', numbers.audio_input, audio],
    ['audioOutput', numbers.audio_output, audio * (numbers.audio_completion_ratio ?? 1)],
  ]
  return parts.flatMap(([kind, tokens = 0, ratio = 1]) => (tokens > 0 ? [{ kind, tokens, ratio }] : []))
}
