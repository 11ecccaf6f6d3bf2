import type { Database } from 'bun:sqlite'
import type { Random } from '../../faults/random.ts'
import { changeRow, fillTable, type Row } from './fill-table.ts'

export const DAY = 86_400

export interface Person {
  readonly id: number
  readonly name: string
  readonly group: string
}

/** Name, shown name, group; the first is the one that scenes of ordinary users log in as. */
const names: readonly [string, string, string][] = [
  ['linyue', '林月', 'vip'],
  ['chenwei', '陈伟', 'default'],
  ['zhanghao', '张昊', 'default'],
  ['wangmin', '王敏', 'svip'],
  ['liujie', '刘洁', 'default'],
  ['sophie', 'Sophie Martin', 'vip'],
  ['daniel.k', 'Daniel Kowalski', 'default'],
  ['amara', 'Amara Okafor', 'vip'],
  ['zhaolei', '赵磊', 'default'],
  ['huangting', '黄婷', 'default'],
  ['mei_lab', '梅实验室', 'svip'],
  ['noah', 'Noah Fischer', 'default'],
  ['xuqiang', '徐强', 'default'],
  ['priya', 'Priya Raman', 'vip'],
  ['sunli', '孙莉', 'default'],
  ['tomas', 'Tomás García', 'default'],
  ['zhoujun', '周军', 'default'],
  ['kaede', '楓', 'vip'],
  ['wuyan', '吴燕', 'default'],
  ['data-team', '数据组', 'svip'],
  ['zhengkai', '郑凯', 'default'],
  ['olivia', 'Olivia Brown', 'default'],
  ['fengxue', '冯雪', 'default'],
  ['hanbin', '韩斌', 'default'],
  ['lucas', 'Lucas Silva', 'default'],
  ['dengchao', '邓超', 'default'],
  ['yasmin', 'Yasmin Haddad', 'vip'],
  ['caojing', '曹静', 'default'],
  ['pengfei', '彭飞', 'default'],
  ['ci-runner', '持续集成', 'default'],
  ['jiangnan', '江南', 'default'],
  ['eva', 'Eva Lindqvist', 'default'],
  ['support', '客服', 'default'],
  ['trial-2041', '', 'default'],
]

const ADMINS = new Set(['wangmin', 'support'])
const BANNED = new Set(['dengchao', 'trial-2041', 'lucas'])
const GONE = new Set(['pengfei', 'olivia'])
const ROOT_QUOTA = 36_750_000

/** Users of all kinds; each has what its ledger entry says. Their password is the one that is given. */
export async function settlePeople(
  database: Database,
  random: Random,
  now: number,
  password: string,
): Promise<Person[]> {
  const hash = await Bun.password.hash(password)
  const rows = names.map(([username, display_name, group], at) => {
    const asked = random(0, 9) === 0 ? 0 : random(20, 48_000)
    const inviter = at > 4 && random(0, 2) === 0 ? random(2, 5) : 0
    return {
      ...blank,
      id: at + 2,
      username,
      display_name,
      group,
      password_hash: hash,
      role: ADMINS.has(username) ? 10 : 1,
      status: BANNED.has(username) ? 2 : 1,
      email: random(0, 3) > 0 ? `${username.replace(/\W/g, '')}@example.com` : null,
      github_id: random(0, 3) === 0 ? `gh-${username}` : null,
      quota: username === 'ci-runner' ? 0 : random(1, 900) * random(500, 90_000),
      used_quota: asked * random(120, 2600),
      request_count: asked,
      aff_code: `A${String(1000 + at)}`,
      aff_count: at < 4 ? random(1, 9) : 0,
      aff_quota: at < 4 ? random(1, 40) * 50_000 : 0,
      aff_history_quota: at < 4 ? random(40, 90) * 50_000 : 0,
      inviter_id: inviter,
      created_at: now - random(1, 400) * DAY - random(0, DAY),
      deleted_at: GONE.has(username) ? now - random(1, 20) * DAY : null,
    }
  })
  fillTable(database, 'users', rows)
  changeRow(database, 'users', 1, { quota: ROOT_QUOTA, used_quota: 128_460_320, request_count: 61_204 })
  const owned = [{ id: 1, quota: ROOT_QUOTA }, ...rows]
  fillTable(
    database,
    'ledger_entries',
    owned.map(({ id, quota }) => entryOf(id, quota, now)),
  )
  const people = rows.map(({ id, username, group }) => ({ id, name: username, group }))
  return [{ id: 1, name: 'root', group: 'default' }, ...people]
}

const blank = {
  wechat_id: null,
  telegram_id: null,
  linux_do_id: null,
  discord_id: null,
  access_token_hash: null,
}

function entryOf(user: number, amount: number, now: number): Row {
  return {
    kind: 'gift',
    ref: `lived-in-${user}`,
    user_id: user,
    token_id: 0,
    user_amount: amount,
    token_amount: 0,
    created_at: now - 30 * DAY,
  }
}
