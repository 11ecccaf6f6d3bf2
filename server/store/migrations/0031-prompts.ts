import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Prompts that accounts keep, and their versions. */
export async function prompts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { table, index, id, integer, text, longText, required, zero, blank } = columnsFor(engine, db)
  await table('prompts', rows =>
    id(rows)
      .addColumn('user_id', integer, required)
      .addColumn('name', text(64), required)
      .addColumn('version', integer, required)
      .addColumn('newest', integer, required)
      .addColumn('created_by', integer, zero)
      .addColumn('created_at', integer, required)
      .addColumn('updated_at', integer, required),
  )
  await index('prompts_name', 'prompts', ['user_id', 'name'], 'unique')
  await table('prompt_versions', rows =>
    id(rows)
      .addColumn('prompt_id', integer, required)
      .addColumn('version', integer, required)
      .addColumn('model', text(256), blank)
      .addColumn('content', longText, required)
      .addColumn('size', integer, required)
      .addColumn('note', text(300), blank)
      .addColumn('created_by', integer, zero)
      .addColumn('created_at', integer, required),
  )
  await index('prompt_versions_of', 'prompt_versions', ['prompt_id', 'version'], 'unique')
}
