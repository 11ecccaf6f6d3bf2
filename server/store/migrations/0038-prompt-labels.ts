import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Labels of prompts' versions, who has moved them, and how often a version was asked for. */
export async function promptLabels(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, keyed, index, id, integer, text, required, zero } = columnsFor(engine, db)
  await keyed('prompt_labels', labels =>
    labels
      .addColumn('prompt_id', integer, required)
      .addColumn('label', text(36), required)
      .addColumn('version', integer, required)
      .addPrimaryKeyConstraint('prompt_labels_pk', ['prompt_id', 'label']),
  )
  await table('prompt_releases', releases =>
    id(releases)
      .addColumn('prompt_id', integer, required)
      .addColumn('label', text(36), required)
      .addColumn('from_version', integer, zero)
      .addColumn('to_version', integer, zero)
      .addColumn('created_by', integer, zero)
      .addColumn('created_at', integer, required),
  )
  await index('prompt_releases_of', 'prompt_releases', ['prompt_id', 'id'])
  await keyed('prompt_usage_daily', usage =>
    usage
      .addColumn('prompt_id', integer, required)
      .addColumn('version', integer, required)
      .addColumn('day', integer, required)
      .addColumn('requests', integer, zero)
      .addColumn('errors', integer, zero)
      .addColumn('quota', integer, zero)
      .addColumn('prompt_tokens', integer, zero)
      .addColumn('completion_tokens', integer, zero)
      .addPrimaryKeyConstraint('prompt_usage_daily_pk', ['prompt_id', 'version', 'day']),
  )
}
