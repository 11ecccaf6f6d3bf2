import type { Database } from 'bun:sqlite'
import {
  countLatency,
  firstColumns,
  noLatencies,
  tookColumns,
} from '../../../server/ledger/latency-buckets.ts'
import type { Random } from '../../faults/random.ts'
import type { LivingChannel } from './channels.ts'
import { fillTable, type Row } from './fill-table.ts'
import { type Model, models } from './models.ts'
import { DAY, type Person } from './people.ts'

const HOUR = 3600
const CALLS = 4200
const DAYS = 30
/** What channels cost, by their type: not known of all, and of one more than anybody pays. */
const shareOf: Readonly<Record<number, number>> = { 1: 0.45, 14: 1.05, 43: 0.6 }
const ratioOf: Readonly<Record<string, number>> = { default: 1, vip: 0.9, svip: 0.8 }

/** What tokens are for; of some nobody has said. */
const purposes = [
  null,
  'env:prod,project:search',
  'env:prod,project:客服助手',
  'env:dev',
  'env:prod,user:alice',
]

const failures: readonly [number, string][] = [
  [429, 'status code 429: Rate limit reached for requests'],
  [500, 'status code 500: The server had an error while processing your request'],
  [504, 'upstream timed out: no answer within 120 s'],
  [400, "status code 400: Invalid value for 'messages[2].content': expected a string"],
  [503, '当前分组 default 下对于模型 o3 无可用渠道'],
]

export interface Town {
  readonly people: readonly Person[]
  readonly channels: readonly LivingChannel[]
  readonly tokens: ReadonlyMap<number, string>
}

/** A month of calls, busier by day than by night and growing, with the sums that statistics are drawn from. */
export function makeUsage(database: Database, random: Random, now: number, town: Town): void {
  const calls = [
    ...Array.from({ length: CALLS }, () => callOf(random, now, town)),
    ...[1, 2, 20].map(hours => ({ row: batchRow(random, now, hours, town) })),
  ]
  const rows = [...calls.map(({ row }) => row), ...events(random, now, town.people)]
  rows.sort((a, b) => Number(a.created_at) - Number(b.created_at))
  fillTable(database, 'logs', rows)
  const sums = new Map<string, Sum>()
  for (const call of calls) addTo(sums, call)
  fillTable(
    database,
    'usage_hourly',
    [...sums.values()].map(({ key, sum }) => ({ ...key, ...sum })),
  )
  fillTable(
    database,
    'usage_latency_hourly',
    [...sums.values()].map(({ key, counts }) => ({ ...key, ...latencies(counts) })),
  )
  const labelled = new Map<string, Sum>()
  for (const call of calls) if (call.row.labels) addTo(labelled, call, labelKey(call.row))
  fillTable(
    database,
    'usage_labels_hourly',
    [...labelled.values()].map(({ key, sum }) => ({ ...key, ...sum })),
  )
}

interface Call {
  readonly row: Row
  /** Not of what nobody waited for. */
  readonly tookMs?: number
  readonly firstMs?: number | undefined
}

function callOf(random: Random, now: number, { people, channels, tokens }: Town): Call {
  const person = random(0, 2) === 0 ? people[0] : people[random(0, Math.min(18, people.length - 1))]
  const model = pickModel(random)
  const able = channels.filter(channel => channel.type === model.type)
  const channel = able[random(0, able.length - 1)]
  const [token, tokenName] = person?.id === 1 ? pickToken(random, tokens) : [0, '默认令牌']
  const failed = random(0, 99) < 4
  const streams = !failed && model.completion > 1 && random(0, 9) < 7
  const tookMs = random(3, 30) * random(90, 1400)
  const firstMs = streams ? Math.min(tookMs, random(2, 12) * random(90, 500)) : undefined
  const money = failed ? refusal(random) : charge(random, model, ratioOf[person?.group ?? ''] ?? 1)
  const retried = random(0, 14) === 0 && able.length > 1
  const tried = [...(retried ? [able[0]?.id] : []), channel?.id].map(String)
  return {
    tookMs,
    firstMs,
    row: {
      created_at: timeOf(random, now),
      type: failed ? 5 : 2,
      user_id: person?.id ?? 1,
      username: person?.name ?? '',
      token_id: token,
      token_name: tokenName,
      model_name: model.name,
      channel_id: channel?.id ?? 0,
      group: person?.group ?? 'default',
      is_stream: streams ? 1 : 0,
      use_time: Math.round(tookMs / 1000),
      prompt_tokens: money.prompt,
      completion_tokens: money.completion,
      quota: money.quota,
      cost: failed ? null : costOf(money.listed, shareOf[model.type]),
      labels: purposes[token % purposes.length] ?? null,
      request_id: `20${random(10_000_000, 99_999_999)}${random(10_000_000, 99_999_999)}`,
      content: money.content,
      other: JSON.stringify({
        ...money.details,
        ...(firstMs === undefined ? {} : { frt: firstMs }),
        admin_info: { use_channel: tried },
      }),
    },
  }
}

/** A night's work in one row, at half the price; nobody waited for it. */
function batchRow(random: Random, now: number, hoursAgo: number, { channels, tokens }: Town): Row {
  const [token_id, token_name] = pickToken(random, tokens)
  const channel = channels.find(({ type }) => type === 1)?.id ?? 0
  const [prompt_tokens, completion_tokens] = [random(1_000_000, 6_000_000), random(50_000, 300_000)]
  return {
    created_at: now - hoursAgo * HOUR,
    type: 2,
    user_id: 1,
    username: 'root',
    token_id,
    token_name,
    model_name: 'gpt-4o-mini',
    channel_id: channel,
    group: 'default',
    is_stream: 0,
    use_time: 0,
    prompt_tokens,
    completion_tokens,
    quota: Math.ceil((prompt_tokens + completion_tokens * 4) * 0.075 * 0.5),
    cost: null,
    labels: null,
    request_id: `night-${hoursAgo}`,
    content: '',
    other: JSON.stringify({
      ...{ model_ratio: 0.075, model_price: -1, completion_ratio: 4, group_ratio: 1, batch_ratio: 0.5 },
      batch_requests: random(400, 48_000),
      batch_id: `batch_${random(1_000_000_000, 9_999_999_999)}${random(1_000_000_000, 9_999_999_999)}`,
      admin_info: { use_channel: [String(channel)] },
    }),
  }
}

function charge(random: Random, model: Model, groupRatio: number) {
  const prompt = random(1, 40) * random(8, 320)
  const completion = model.completion > 1 ? random(1, 30) * random(4, 90) : 0
  const cached = model.type === 14 && random(0, 1) === 0 ? Math.floor(prompt * 0.6) : 0
  const weighed = prompt - cached + cached * 0.1 + completion * model.completion
  const details = {
    model_ratio: model.ratio,
    model_price: -1,
    completion_ratio: model.completion,
    group_ratio: groupRatio,
    ...(cached > 0 ? { cache_tokens: cached, cache_ratio: 0.1 } : {}),
  }
  const listed = weighed * model.ratio
  return { prompt, completion, quota: Math.ceil(listed * groupRatio), listed, content: '', details }
}

function costOf(listed: number, share: number | undefined): number | null {
  return share === undefined ? null : Math.round(listed * share)
}

function refusal(random: Random) {
  const [status_code, content] = failures[random(0, failures.length - 1)] ?? [500, '']
  return { prompt: 0, completion: 0, quota: 0, listed: 0, content, details: { status_code } }
}

function pickModel(random: Random): Model {
  let left = random(0, models.reduce((sum, { share }) => sum + share, 0) - 1)
  const found = models.find(({ share }) => {
    left -= share
    return left < 0
  })
  return found ?? (models[0] as Model)
}

function pickToken(random: Random, tokens: ReadonlyMap<number, string>): [number, string] {
  const list = [...tokens]
  return list[random(0, Math.min(9, list.length - 1))] ?? [0, '']
}

/** Later days are likelier; what would still be to come is drawn again, so that today has its share so far. */
function timeOf(random: Random, now: number): number {
  const daysAgo = DAYS - 1 - Math.floor(Math.sqrt(random(0, DAYS * DAYS * 1000 - 1) / 1000))
  const hour = random(0, 2) === 0 ? random(0, 23) : random(9, 19)
  const time = now - (now % DAY) - daysAgo * DAY + hour * HOUR + random(0, HOUR - 1)
  return time > now ? timeOf(random, now) : time
}

/** What is in the log besides calls. */
function events(random: Random, now: number, people: readonly Person[]): Row[] {
  const texts: readonly [number, (amount: string) => string][] = [
    [1, amount => `通过兑换码充值 ＄${amount} 额度`],
    [1, amount => `使用在线充值成功，充值金额: ＄${amount} 额度`],
    [3, amount => `管理员将用户额度从 ＄0.000000 额度修改为 ＄${amount} 额度`],
    [4, amount => `新用户注册赠送 ＄${amount} 额度`],
    [4, amount => `邀请用户赠送 ＄${amount} 额度`],
  ]
  return Array.from({ length: 140 }, () => {
    const [type, write] = texts[random(0, texts.length - 1)] ?? [4, String]
    const person = people[random(0, people.length - 1)]
    const dollars = random(1, 40)
    return {
      created_at: timeOf(random, now),
      type,
      user_id: person?.id ?? 1,
      username: person?.name ?? '',
      token_id: 0,
      token_name: '',
      model_name: '',
      channel_id: 0,
      group: person?.group ?? '',
      is_stream: 0,
      use_time: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      quota: dollars * 500_000,
      cost: null,
      labels: null,
      request_id: '',
      content: write(`${dollars}.000000`),
      other: '',
    }
  })
}

interface Sum {
  readonly key: Row
  readonly sum: Record<
    'requests' | 'errors' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'cost' | 'costed_quota',
    number
  >
  readonly counts: number[]
}

function hourKey(row: Row): Row {
  const { user_id, token_id, channel_id, model_name, group } = row
  const hour = Number(row.created_at) - (Number(row.created_at) % HOUR)
  return { hour, user_id, token_id, channel_id, model_name, group } as Row
}

function labelKey(row: Row): Row {
  const { hour, user_id, token_id } = hourKey(row)
  return { hour, user_id, token_id, labels: row.labels } as Row
}

function addTo(sums: Map<string, Sum>, { row, tookMs, firstMs }: Call, key = hourKey(row)): void {
  const name = Object.values(key).join('\0')
  const nothing = { requests: 0, errors: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }
  const uncosted = { ...nothing, cost: 0, costed_quota: 0 }
  const known = sums.get(name) ?? { key, sum: uncosted, counts: noLatencies() }
  known.sum.requests++
  if (row.type !== 2) known.sum.errors++
  known.sum.quota += Number(row.quota)
  known.sum.cost += Number(row.cost)
  if (row.cost !== null) known.sum.costed_quota += Number(row.quota)
  known.sum.prompt_tokens += Number(row.prompt_tokens)
  known.sum.completion_tokens += Number(row.completion_tokens)
  if (row.type === 2 && tookMs !== undefined) countLatency(known.counts, tookMs, firstMs)
  sums.set(name, known)
}

function latencies(counts: readonly number[]): Row {
  return Object.fromEntries([...tookColumns, ...firstColumns].map((column, at) => [column, counts[at] ?? 0]))
}
