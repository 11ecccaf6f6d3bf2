import type { RawDatabase } from './raw-database.ts'
import { groups, spread, teamId } from './spread.ts'
import { hex, series, whole } from './words.ts'

const DAY = 86_400
const BUCKETS = Array.from({ length: 12 }, (_, at) => at)
const columns = [
  'id',
  'created_at',
  'type',
  'user_id',
  'username',
  'token_id',
  'token_name',
  'model_name',
  'channel_id',
  '"group"',
  'is_stream',
  'use_time',
  'prompt_tokens',
  'completion_tokens',
  'quota',
  'labels',
  'request_id',
  'content',
  'other',
]
const keys = 'hour, user_id, token_id, channel_id, model_name, "group"'

/** Two months of log up to this hour, a day at a time, and the hourly sums of each. */
export async function generateLogs(raw: RawDatabase, rows: number, now: number): Promise<void> {
  const perDay = Math.floor(rows / spread.days)
  const start = now - (now % 3600) - spread.days * DAY
  for (let day = 0; day < spread.days; day++) {
    const from = start + day * DAY
    await raw.run('begin')
    await raw.run(dayOfLogs(raw.engine, { firstId: 1 + day * perDay, rows: perDay, from }))
    await raw.run(sumsOfDay(1 + day * perDay, from))
    await raw.run(labelsOfDay(1 + day * perDay, from))
    await raw.run('commit')
  }
  await raw.run(whole(raw.engine, latencies()))
}

interface Day {
  readonly firstId: number
  readonly rows: number
  readonly from: number
}

/** Something between 0 and a million that looks thrown. */
function thrown(of: string, salt: number): string {
  return `(((${of}) % 1000003 * 48271 + ${salt * 9973}) % 1000003 * 69621 + (${of}) / 1000003 + ${salt}) % 1000003`
}

/** From 0 to a number, the small ones more often. */
function skewed(dice: string, below: number): string {
  return `((${dice}) / 1001) * ((${dice}) / 1001) * ${below} / 1000000`
}

function dayOfLogs(engine: RawDatabase['engine'], { firstId, rows, from }: Day): string {
  const hexed = (value: string, digits: number): string => hex(engine, value, digits)
  const time = (part: string): string => hexed(`created_at * 1000 ${part}`, part === '/ 65536' ? 8 : 4)
  const { firstId: base, activeUsers, atOnce, models, modelsOfUser, tokensOfUser, usedChannels } = spread
  const team = teamId - base
  const teamToken = `${base + spread.tokens} + ${skewed('c', spread.teamTokens)}`
  return whole(
    engine,
    `insert into logs (${columns.join(', ')}) ${series(engine, firstId, rows)},
    dice as (select i, ${from} + (i - ${firstId}) * ${DAY} / ${rows} as created_at,
      ${thrown('i', 1)} as a, ${thrown('i', 2)} as b, ${thrown('i', 3)} as c, ${thrown('i', 4)} as d from n),
    people as (select *, case when b % 1000 < 900 then 2 when b % 1000 < 980 then 5 when b % 3 = 0 then 1
      when b % 3 = 1 then 3 else 4 end as type,
      case when d % 10 < 3 then ${team}
        else ${thrown(`created_at / 3600 * 1000 + ${skewed('a', atOnce)}`, 5)} % ${activeUsers} end as person from dice),
    choices as (select *, ${thrown(`person * 10 + ${skewed('c', modelsOfUser)}`, 7)} as e,
      ${thrown(`person * 100 + created_at / ${DAY}`, 8)} % 3 as nth from people),
    calls as (select *, ${skewed(`case when person = ${team} then b else e end`, models)} as model,
      case when person = ${team} then ${teamToken} else ${base} + person * ${tokensOfUser} + nth end as token from choices)
    select i, created_at, type, ${base} + person, 'user' || (${base} + person),
      case when type in (2, 5) then token else 0 end,
      case when type not in (2, 5) then '' when nth = 0 and person <> ${team} then 'default' else 'token-' || token end,
      case when type in (2, 5) then 'model-' || (1000 + model) else '' end,
      case when type in (2, 5) then ${base} + (model * 3 + d % 3) % ${usedChannels} else 0 end,
      case when person % 10 < 7 then '${groups[0]}' when person % 10 < 9 then '${groups[1]}' else '${groups[2]}' end,
      a % 2, b % 20, case when type = 2 then c % 4000 else 0 end, case when type = 2 then d % 800 else 0 end,
      case when type = 2 then 50 + d % 5000 else 0 end,
      case when type in (2, 5) and c % 10 < 4 then 'env:' || (case when a % 5 = 0 then 'test' else 'prod' end)
        || ',project:' || ((person + token) % ${spread.projects}) else null end,
      case when type in (2, 5) then ${time('/ 65536')} || '-' || ${time('% 65536')} || '-7' || ${hexed('a % 4096', 3)}
        || '-8' || ${hexed('b % 4096', 3)} || '-' || ${hexed('i', 12)} else '' end,
      '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00',
      '{"model_ratio":1.25,"completion_ratio":4,"group_ratio":1,"model_price":-1,"frt":412,"admin_info":{"use_channel":["' || d % 50 || '"]}}'
    from calls`,
  )
}

/** What the ledger would have added, call by call. */
function sumsOfDay(firstId: number, from: number): string {
  return `insert into usage_hourly (${keys}, requests, errors, quota, prompt_tokens, completion_tokens)
    select created_at - created_at % 3600, user_id, token_id, channel_id, model_name, "group", count(*),
      sum(case when type = 5 then 1 else 0 end), sum(quota), sum(prompt_tokens), sum(completion_tokens)
    from logs where id >= ${firstId} and created_at >= ${from} and request_id <> ''
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`
}

/** The same by what the calls were for. */
function labelsOfDay(firstId: number, from: number): string {
  return `insert into usage_labels_hourly
      (hour, user_id, token_id, labels, requests, errors, quota, prompt_tokens, completion_tokens)
    select created_at - created_at % 3600, user_id, token_id, labels, count(*),
      sum(case when type = 5 then 1 else 0 end), sum(quota), sum(prompt_tokens), sum(completion_tokens)
    from logs where id >= ${firstId} and created_at >= ${from} and labels is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`
}

/** All calls of a key took about as long: how long does not change what a sum costs. */
function latencies(): string {
  const names = ['took', 'first'].flatMap(of => BUCKETS.map(at => `${of}_${at}`))
  const counts = [6, 3].flatMap(middle =>
    BUCKETS.map(
      at => `case when (user_id + hour / 3600) % 4 + ${middle} = ${at} then requests - errors else 0 end`,
    ),
  )
  return `insert into usage_latency_hourly (${keys}, ${names.join(', ')})
    select ${keys}, ${counts.join(', ')} from usage_hourly where requests > errors order by 1, 2, 3, 4, 5, 6`
}
