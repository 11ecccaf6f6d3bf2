import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import { columnsFor } from './columns.ts'

/** Which call has paid for which time of a container, so that each is paid once. */
export async function containerWindows(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { keyed, index, integer, text, required } = columnsFor(engine, db)
  await keyed('openai_container_windows', windows =>
    windows
      .addColumn('mark', text(64), required)
      .addColumn('since', integer, required)
      .addColumn('until', integer, required)
      .addColumn('request_id', text(64), required)
      .addPrimaryKeyConstraint('openai_container_windows_pk', ['mark', 'since']),
  )
  await index('openai_container_windows_until', 'openai_container_windows', ['until'])
}
