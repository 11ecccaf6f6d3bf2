import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Conversations and containers that OpenAI accounts keep for our users. */
export async function openaiKept(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, text, required, zero, blank } = columnsFor(engine, db)
  await keyed('openai_conversations', conversations =>
    conversations
      .addColumn('id', text(128), column => column.primaryKey())
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('key_hash', text(64), required)
      .addColumn('created_at', integer, required),
  )
  await index('openai_conversations_owner', 'openai_conversations', ['user_id', 'created_at'])
  await keyed('openai_containers', containers =>
    containers
      .addColumn('mark', text(64), column => column.primaryKey())
      .addColumn('id', text(128), required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, zero)
      .addColumn('key_hash', text(64), blank)
      .addColumn('model', text(255), blank)
      .addColumn('group', text(64), blank)
      .addColumn('request_id', text(64), blank)
      .addColumn('state', text(20), required)
      .addColumn('title', text(255), blank)
      .addColumn('gigabytes', integer, required)
      .addColumn('price', text(40), blank)
      .addColumn('created_at', integer, required)
      .addColumn('changed_at', integer, required)
      .addColumn('paid_until', integer, zero),
  )
  await index('openai_containers_id', 'openai_containers', ['id'], 'unique')
  await index('openai_containers_owner', 'openai_containers', ['user_id', 'mark'])
  await index('openai_containers_request', 'openai_containers', ['request_id'])
  await index('openai_containers_state', 'openai_containers', ['state', 'changed_at'])
}
