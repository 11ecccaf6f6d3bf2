import type { Database } from 'bun:sqlite'
import type { Client } from '../../client.ts'
import type { Random } from '../../faults/random.ts'
import { changeRow } from './fill-table.ts'
import { DAY } from './people.ts'

const names = [
  '生产环境',
  '预发布',
  'Cursor',
  'Claude Code',
  '客服机器人',
  '数据标注',
  'LobeChat',
  '夜间批处理',
  'Notion 插件',
  'team-search',
  'team-billing',
  'mobile-app',
  '论文润色',
  '沉浸式翻译',
  'CI',
  'n8n',
  'Open WebUI',
  '会议纪要',
  'embedding-index',
  'playground',
  '实习生',
  '外包项目',
  'demo-2024',
  '旧密钥',
  'sandbox',
]

/** The owner's tokens, in every state that a token can be in. Their keys are real. */
export async function issueTokens(
  owner: Client,
  database: Database,
  random: Random,
  now: number,
  count = names.length,
): Promise<Map<number, string>> {
  const issued = new Map<number, string>()
  for (const [at, name] of names.slice(0, count).entries()) {
    const { json } = await owner.post('/api/token/', { name, ...limits(at, now) })
    if (!json?.success) throw new Error(`the token ${name} was refused: ${JSON.stringify(json)}`)
    const row = database
      .query<{ id: number }, [number, string]>('select id from tokens where user_id = ? and name = ?')
      .get(owner.userId ?? 0, name)
    if (!row) throw new Error(`there is no token ${name}`)
    changeRow(database, 'tokens', row.id, {
      status: statusOf(at),
      used_quota: at === 24 ? 0 : random(1, 900) * random(1000, 60_000),
      created_time: now - (count - at) * 9 * DAY - random(0, DAY),
      accessed_time: now - random(60, 20 * DAY),
    })
    issued.set(row.id, name)
  }
  return issued
}

const periods = ['month', 'week', 'day'] as const

function limits(at: number, now: number): object {
  const quota = [500_000, 5_000_000, 25_000_000, 1_250_000][at % 4]
  const limited = at % 5 === 3
  return {
    unlimited_quota: at % 3 === 0,
    remain_quota: at === 20 ? 0 : quota,
    ...(at % 5 === 1 || at === 20 ? { refill_quota: 5_000_000, refill_period: periods[at % 3] } : {}),
    expired_time: expiryOf(at, now),
    model_limits_enabled: limited,
    model_limits: limited ? 'gpt-4o-mini,claude-sonnet-4-20250514,deepseek-chat' : '',
    allow_ips: at % 7 === 4 ? '10.0.0.0/8\n203.0.113.24' : '',
    group: ['', '', 'vip', ''][at % 4] ?? '',
    labels: at % 4 === 1 ? ['env:prod', 'project:search'] : [],
  }
}

function expiryOf(at: number, now: number): number {
  if (at === 22 || at === 23) return now - 40 * DAY
  return at % 4 === 1 ? now + (at + 3) * DAY : -1
}

function statusOf(at: number): number {
  if (at === 22 || at === 23) return 3
  if (at === 20) return 4
  return at === 11 || at === 21 ? 2 : 1
}
