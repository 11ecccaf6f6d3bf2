import { auditActions } from '../../../contract/audit-actions.ts'
import { signRecord } from '../../../server/services/audit-record.ts'
import type { Store } from '../../../server/store/index.ts'
import { putContents } from '../../../server/store/log-contents.ts'
import type { RawDatabase } from './raw-database.ts'
import { groups, spread } from './spread.ts'
import { series, whole } from './words.ts'

const { firstId, activeUsers, records, usedChannels } = spread
const AT_A_TIME = 500
const DAY = 86_400
/** Calls whose words are kept and whose money can be followed: the newest. */
const TRACED = 20_000
const KEPT_WORDS = 200

/** What grows with use besides the log: codes, orders, drawings, tasks, plans that were sold. */
export async function generateRecords(raw: RawDatabase, now: number): Promise<void> {
  const person = `${firstId} + i % ${activeUsers}`
  const channel = `${firstId} + i % ${usedChannels}`
  /** Spread over two months, the last of them now. */
  const time = `${now} - (${records} - i) * ${spread.days * DAY} / ${records}`
  const fill = async (table: string, columns: Readonly<Record<string, string>>): Promise<void> => {
    const names = Object.keys(columns).map(name => `"${name}"`)
    const rows = `${series(raw.engine, 1, records)} select ${Object.values(columns).join(', ')} from n`
    await raw.run(whole(raw.engine, `insert into ${table} (${names.join(', ')}) ${rows}`))
  }
  await fill('redemptions', {
    ...{ id: 'i', user_id: '1', key: `'code-' || i`, quota: '500000', name: `'sale ' || (i / 1000)` },
    ...{
      status: '1 + (i % 5) / 2',
      created_time: time,
      expired_time: `case when i % 7 = 0 then ${time} else 0 end`,
    },
  })
  await fill('top_ups', {
    ...{
      id: 'i',
      user_id: person,
      amount: '10',
      quota: '5000000',
      money: '7300',
      payment_method: `'alipay'`,
    },
    ...{
      trade_no: `'USR' || (i * 7919) || 'NO' || i`,
      status: `case when i % 3 = 0 then 'pending' else 'success' end`,
    },
    ...{ create_time: time, complete_time: time },
  })
  const words = `'a lighthouse in a storm, oil on canvas, number ' || i`
  await fill('midjourneys', {
    ...{ id: 'i', code: '1', user_id: person, action: `'IMAGINE'`, mj_id: `'mj-' || i`, prompt: words },
    ...{
      prompt_en: words,
      description: `''`,
      submit_time: `(${time}) * 1000`,
      image_url: `'https://pictures.example/' || i`,
    },
    ...{ status: `'SUCCESS'`, progress: `'100%'`, fail_reason: `''`, channel_id: channel, quota: '5000' },
    ...{ buttons: `'[]'`, properties: `'{}'` },
  })
  await fill('tasks', {
    ...{ id: 'i', task_id: `'task-' || i`, platform: `case when i % 4 = 0 then 'kling' else 'suno' end` },
    ...{ user_id: person, channel_id: channel, quota: '5000', action: `'MUSIC'`, progress: `'100%'` },
    ...{
      status: `case when i % 50 = 0 then 'FAILURE' else 'SUCCESS' end`,
      fail_reason: `''`,
      submit_time: time,
    },
    ...{ created_at: time, updated_at: time, properties: `'{"input":"a song about number ' || i || '"}'` },
    ...{ data: `'[{"title":"' || i || '","audio_url":"https://music.example/' || i || '.mp3"}]'` },
  })
  const terms = {
    duration: '1',
    duration_unit: `'month'`,
    quota: '5000000',
    period: `'none'`,
    group: `'${groups[1]}'`,
  }
  await fill('subscriptions', {
    ...{ id: 'i', user_id: person, plan_id: '1', title: `'Pro'`, ...terms, former_group: `''`, times: '1' },
    ...{ state: `'ended'`, period_no: '1', starts_at: time, ends_at: time, ended_at: time, due_at: '0' },
  })
  await fill('subscription_periods', {
    ...{ subscription_id: 'i', no: '1', user_id: person, began_at: time, ended_at: time, quota: '5000000' },
    ...{ used_before: '0', spent: '5000000', returned: '0' },
  })
}

/** The newest calls have what was set aside for them, and some of these their words. */
export async function generateTraces(store: Store, raw: RawDatabase): Promise<void> {
  await raw.run(`insert into holds
      (id, node_id, user_id, token_id, amount, token_amount, charge, state, price, created_at, updated_at, held)
    select request_id, 'bench', user_id, token_id, 0, 0, quota, 'settled', '{}', created_at - use_time, created_at, quota
    from logs where type = 2 order by id desc limit ${TRACED}`)
  const calls = await store.db
    .selectFrom('logs')
    .select(['request_id', 'user_id', 'created_at'])
    .where('type', '=', 2)
    .orderBy('id', 'desc')
    .limit(KEPT_WORDS)
    .execute()
  const words = new TextEncoder().encode('{"model":"model-1","messages":[]}'.padEnd(20_000))
  const nothing = { words: new Uint8Array(), requestLeftOut: 0, answerLeftOut: 0, wordsLeftOut: 0 }
  await putContents(
    store,
    calls.map(call => ({
      ...{ requestId: call.request_id, userId: call.user_id, createdAt: call.created_at },
      ...{ request: words, answer: words, ...nothing },
    })),
  )
}

/** A chain that holds, of logins and changes by many people. */
export async function generateAudit({ db, cipher }: Store, now: number): Promise<void> {
  const actions = Object.keys(auditActions)
  let previous_hash = ''
  for (let from = 1; from <= records; from += AT_A_TIME) {
    const rows = Array.from({ length: AT_A_TIME }, (_, more) => {
      const id = from + more
      const user = firstId + (id % activeUsers)
      const row = {
        ...{ id, created_at: now - (records - id) * 20, user_id: user, username: `user${user}` },
        ...{ address: '192.0.2.7', action: actions[id % actions.length] ?? '', subject: `user:${user}` },
        ...{ before: '{"quota":1}', after: `{"quota":${id}}`, previous_hash },
      }
      const hash = signRecord({ cipher }, row)
      previous_hash = hash
      return { ...row, hash }
    })
    await db.insertInto('audit_records').values(rows).execute()
  }
  await db
    .updateTable('system')
    .set({ value: `${records}:${previous_hash}` })
    .where('key', '=', 'audit-head')
    .execute()
}
