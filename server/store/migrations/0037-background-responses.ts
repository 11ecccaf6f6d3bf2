import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Responses that upstreams make in the background: whose they are, where, and what pays for them. */
export async function backgroundResponses(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, flag, text, longText, required, zero } = columnsFor(engine, db)
  await keyed('background_responses', rows =>
    rows
      .addColumn('request_id', text(64), column => column.primaryKey())
      .addColumn('response_id', text(200), required)
      .addColumn('user_id', integer, required)
      .addColumn('token_id', integer, required)
      .addColumn('channel_id', integer, required)
      .addColumn('key_hash', text(64), required)
      .addColumn('model', text(255), required)
      .addColumn('group', text(64), required)
      .addColumn('streams', flag, zero)
      .addColumn('state', text(20), required)
      .addColumn('terms', longText, required)
      .addColumn('seen_to', integer, required)
      .addColumn('seen_tokens', integer, zero)
      .addColumn('submitted_at', integer, required)
      .addColumn('lost_at', integer, zero)
      .addColumn('next_poll_at', integer, required),
  )
  await index('background_responses_owner', 'background_responses', ['user_id', 'response_id'])
  await index('background_responses_due', 'background_responses', ['state', 'next_poll_at'])
}
