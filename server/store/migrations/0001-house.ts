import { type Kysely, sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { type Columns, columnsFor } from './columns.ts'

/** Accounts, tokens, channels, money, records, and what the processes need to agree with each other. */
export async function house(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const columns = columnsFor(engine, db)
  await accounts(columns)
  await routing(columns)
  await money(columns, db, engine)
  await records(columns, db, engine)
  await processes(columns)
}

async function accounts({
  table,
  keyed,
  index,
  id,
  integer,
  text,
  required,
  zero,
  blank,
}: Columns): Promise<void> {
  await table('users', users =>
    id(users)
      .addColumn('username', text(100), required)
      .addColumn('password_hash', text(255), blank)
      .addColumn('display_name', text(100), blank)
      .addColumn('role', integer, required)
      .addColumn('status', integer, required)
      .addColumn('email', text(255))
      .addColumn('github_id', text(255))
      .addColumn('wechat_id', text(255))
      .addColumn('telegram_id', text(255))
      .addColumn('linux_do_id', text(255))
      .addColumn('access_token_hash', text(64))
      .addColumn('quota', integer, zero)
      .addColumn('used_quota', integer, zero)
      .addColumn('request_count', integer, zero)
      .addColumn('group', text(64), required)
      .addColumn('aff_code', text(32))
      .addColumn('aff_count', integer, zero)
      .addColumn('aff_quota', integer, zero)
      .addColumn('aff_history_quota', integer, zero)
      .addColumn('inviter_id', integer, zero)
      .addColumn('created_at', integer, required)
      .addColumn('deleted_at', integer),
  )
  for (const column of [
    'username',
    'email',
    'github_id',
    'wechat_id',
    'telegram_id',
    'linux_do_id',
    'access_token_hash',
    'aff_code',
  ])
    await index(`users_${column}`, 'users', [column], 'unique')

  await keyed('sessions', sessions =>
    sessions
      .addColumn('id_hash', text(64), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('role', integer, required)
      .addColumn('created_at', integer, required)
      .addColumn('seen_at', integer, required)
      .addColumn('expires_at', integer, required)
      .addColumn('address', text(64), blank)
      .addColumn('user_agent', text(255), blank),
  )
  await index('sessions_user', 'sessions', ['user_id'])
  await index('sessions_expiry', 'sessions', ['expires_at'])
}

async function routing(columns: Columns): Promise<void> {
  const { table, keyed, index, id, integer, flag, text, longText, required, zero, blank } = columns
  await table('channels', channels =>
    id(channels)
      .addColumn('type', integer, required)
      .addColumn('name', text(255), required)
      .addColumn('status', integer, required)
      .addColumn('key_hash', text(64), required)
      .addColumn('key_sealed', longText, required)
      .addColumn('base_url', text(1000))
      .addColumn('other', longText, required)
      .addColumn('openai_organization', text(255))
      .addColumn('test_model', text(255))
      .addColumn('models', longText, required)
      .addColumn('group', text(1000), required)
      .addColumn('model_mapping', longText)
      .addColumn('status_code_mapping', text(2000))
      .addColumn('priority', integer, zero)
      .addColumn('weight', integer, zero)
      .addColumn('auto_ban', flag, column => column.notNull().defaultTo(1))
      .addColumn('tag', text(255))
      .addColumn('setting', longText)
      .addColumn('other_info', longText, required)
      .addColumn('response_time', integer, zero)
      .addColumn('test_time', integer, zero)
      .addColumn('balance', integer, zero)
      .addColumn('balance_updated_time', integer, zero)
      .addColumn('used_quota', integer, zero)
      .addColumn('created_time', integer, required),
  )
  await index('channels_tag', 'channels', ['tag'])
  await index('channels_key_hash', 'channels', ['key_hash'])
  await index('channels_priority', 'channels', ['priority', 'id'])

  await keyed('abilities', abilities =>
    abilities
      .addColumn('group', text(64), required)
      .addColumn('model', text(255), required)
      .addColumn('channel_id', integer, required)
      .addColumn('enabled', flag, required)
      .addColumn('priority', integer, zero)
      .addColumn('weight', integer, zero)
      .addColumn('tag', text(255))
      .addPrimaryKeyConstraint('abilities_pk', ['group', 'model', 'channel_id']),
  )
  await index('abilities_channel', 'abilities', ['channel_id'])

  await table('tokens', tokens =>
    id(tokens)
      .addColumn('user_id', integer, required)
      .addColumn('name', text(100), blank)
      .addColumn('key_hash', text(64), required)
      .addColumn('key_sealed', text(500), required)
      .addColumn('status', integer, required)
      .addColumn('created_time', integer, required)
      .addColumn('accessed_time', integer, zero)
      .addColumn('expired_time', integer, column => column.notNull().defaultTo(-1))
      .addColumn('remain_quota', integer, zero)
      .addColumn('used_quota', integer, zero)
      .addColumn('unlimited_quota', flag, zero)
      .addColumn('model_limits_enabled', flag, zero)
      .addColumn('model_limits', longText, required)
      .addColumn('allow_ips', longText)
      .addColumn('group', text(64), blank)
      .addColumn('deleted_at', integer),
  )
  await index('tokens_key_hash', 'tokens', ['key_hash'], 'unique')
  await index('tokens_user', 'tokens', ['user_id', 'id'])
}

async function money(columns: Columns, db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, keyed, index, id, integer, text, required, zero, blank } = columns
  await table('redemptions', redemptions =>
    id(redemptions)
      .addColumn('user_id', integer, required)
      .addColumn('key', text(64), required)
      .addColumn('status', integer, required)
      .addColumn('name', text(100), blank)
      .addColumn('quota', integer, required)
      .addColumn('created_time', integer, required)
      .addColumn('redeemed_time', integer, zero)
      .addColumn('used_user_id', integer, zero)
      .addColumn('deleted_at', integer),
  )
  await index('redemptions_key', 'redemptions', ['key'], 'unique')

  await table('top_ups', topUps =>
    id(topUps)
      .addColumn('user_id', integer, required)
      .addColumn('amount', integer, required)
      .addColumn('money', integer, required)
      .addColumn('trade_no', text(100), required)
      .addColumn('payment_method', text(50), blank)
      .addColumn('status', text(20), required)
      .addColumn('create_time', integer, required)
      .addColumn('complete_time', integer, zero),
  )
  await index('top_ups_trade_no', 'top_ups', ['trade_no'], 'unique')
  await index('top_ups_user', 'top_ups', ['user_id', 'id'])

  await keyed('nodes', nodes =>
    nodes
      .addColumn('id', text(64), column => column.primaryKey())
      .addColumn('started_at', integer, required)
      .addColumn('beat', integer, zero),
  )
  await keyed('holds', holds =>
    holds
      .addColumn('id', text(64), column => column.primaryKey())
      .addColumn('node_id', text(64), required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('amount', integer, required)
      .addColumn('token_amount', integer, required)
      .addColumn('checkpoint', integer, zero)
      .addColumn('charge', integer, zero)
      .addColumn('state', text(16), required)
      .addColumn('price', text(1000), required)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required),
  )
  await openHoldsIndex(columns, db, engine)

  await keyed('ledger_entries', entries =>
    entries
      .addColumn('kind', text(32), required)
      .addColumn('ref', text(128), required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, zero)
      .addColumn('user_amount', integer, zero)
      .addColumn('token_amount', integer, zero)
      .addColumn('created_at', integer, required)
      .addPrimaryKeyConstraint('ledger_entries_pk', ['kind', 'ref']),
  )
}

/** Nearly all holds are closed; only the open ones are ever looked for. MySQL has no partial index. */
async function openHoldsIndex({ index }: Columns, db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'mysql') return index('holds_open', 'holds', ['state', 'node_id'])
  await sql`create index if not exists holds_open on holds (node_id) where state = 'open'`.execute(db)
}

async function records(columns: Columns, db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, keyed, index, id, integer, text, longText, required, zero, blank } = columns
  if (engine === 'postgres') await partitionedLogs(db)
  else
    await table('logs', logs =>
      id(logs)
        .addColumn('created_at', integer, required)
        .addColumn('type', integer, required)
        .addColumn('user_id', integer, required)
        .addColumn('username', text(100), blank)
        .addColumn('token_id', integer, zero)
        .addColumn('token_name', text(100), blank)
        .addColumn('model_name', text(255), blank)
        .addColumn('channel_id', integer, zero)
        .addColumn('group', text(64), blank)
        .addColumn('is_stream', integer, zero)
        .addColumn('use_time', integer, zero)
        .addColumn('prompt_tokens', integer, zero)
        .addColumn('completion_tokens', integer, zero)
        .addColumn('quota', integer, zero)
        .addColumn('request_id', text(64), blank)
        .addColumn('content', longText, required)
        .addColumn('other', longText, required),
    )
  await index('logs_time', 'logs', ['created_at', 'id'])
  await index('logs_user', 'logs', ['user_id', 'created_at', 'id'])

  await keyed('usage_hourly', usage =>
    usage
      .addColumn('hour', integer, required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('model_name', text(255), required)
      .addColumn('group', text(64), required)
      .addColumn('requests', integer, zero)
      .addColumn('errors', integer, zero)
      .addColumn('quota', integer, zero)
      .addColumn('prompt_tokens', integer, zero)
      .addColumn('completion_tokens', integer, zero)
      .addPrimaryKeyConstraint('usage_hourly_pk', [
        'hour',
        'user_id',
        'token_id',
        'channel_id',
        'model_name',
        'group',
      ]),
  )
  await index('usage_hourly_user', 'usage_hourly', ['user_id', 'hour'])

  await table('midjourneys', drawings =>
    id(drawings)
      .addColumn('code', integer, zero)
      .addColumn('user_id', integer, required)
      .addColumn('action', text(40), blank)
      .addColumn('mj_id', text(100), required)
      .addColumn('prompt', longText, required)
      .addColumn('prompt_en', longText, required)
      .addColumn('description', longText, required)
      .addColumn('state', text(255), blank)
      .addColumn('submit_time', integer, zero)
      .addColumn('start_time', integer, zero)
      .addColumn('finish_time', integer, zero)
      .addColumn('image_url', longText, required)
      .addColumn('status', text(20), blank)
      .addColumn('progress', text(20), blank)
      .addColumn('fail_reason', longText, required)
      .addColumn('channel_id', integer, zero)
      .addColumn('quota', integer, zero)
      .addColumn('buttons', longText, required)
      .addColumn('properties', longText, required),
  )
  await index('midjourneys_mj_id', 'midjourneys', ['mj_id'])
  await index('midjourneys_user', 'midjourneys', ['user_id', 'id'])

  await table('tasks', tasks =>
    id(tasks)
      .addColumn('task_id', text(100), required)
      .addColumn('platform', text(40), required)
      .addColumn('user_id', integer, required)
      .addColumn('channel_id', integer, zero)
      .addColumn('quota', integer, zero)
      .addColumn('action', text(40), blank)
      .addColumn('status', text(20), blank)
      .addColumn('fail_reason', longText, required)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required)
      .addColumn('submit_time', integer, zero)
      .addColumn('start_time', integer, zero)
      .addColumn('finish_time', integer, zero)
      .addColumn('progress', text(20), blank)
      .addColumn('properties', longText, required)
      .addColumn('data', longText, required),
  )
  await index('tasks_task_id', 'tasks', ['task_id'])
  await index('tasks_user', 'tasks', ['user_id', 'id'])
}

/** On PostgreSQL the log is partitioned by time: cleaning up is dropping partitions. */
async function partitionedLogs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists logs (
      id bigint generated by default as identity,
      created_at bigint not null,
      type bigint not null,
      user_id bigint not null,
      username varchar(100) not null default '',
      token_id bigint not null default 0,
      token_name varchar(100) not null default '',
      model_name varchar(255) not null default '',
      channel_id bigint not null default 0,
      "group" varchar(64) not null default '',
      is_stream bigint not null default 0,
      use_time bigint not null default 0,
      prompt_tokens bigint not null default 0,
      completion_tokens bigint not null default 0,
      quota bigint not null default 0,
      request_id varchar(64) not null default '',
      content text not null,
      other text not null,
      primary key (id, created_at)
    ) partition by range (created_at)`.execute(db)
  await sql`create table if not exists logs_other partition of logs default`.execute(db)
}

async function processes({ keyed, integer, text, longText, required, zero }: Columns): Promise<void> {
  await keyed('options', options =>
    options
      .addColumn('key', text(100), column => column.primaryKey())
      .addColumn('value', longText, required)
      .addColumn('updated_at', integer, required),
  )
  await keyed('throttles', throttles =>
    throttles
      .addColumn('key', text(255), column => column.primaryKey())
      .addColumn('window_start', integer, required)
      .addColumn('count', integer, zero),
  )
  await keyed('revisions', revisions =>
    revisions.addColumn('topic', text(64), column => column.primaryKey()).addColumn('version', integer, zero),
  )
  await keyed('system', system =>
    system.addColumn('key', text(64), column => column.primaryKey()).addColumn('value', longText, required),
  )
}
