import { Database } from 'bun:sqlite'
import { closeSync, openSync, writeSync } from 'node:fs'

/** Writes nonsense over the root page of a table, as a disk that forgets does. */
export function damageTable(path: string, table: string): void {
  const database = new Database(path)
  database.run('pragma wal_checkpoint(truncate)')
  const { at, size } = database
    .query<{ at: number; size: number }, [string]>(
      'select (rootpage - 1) * page_size as at, page_size as size from sqlite_schema, pragma_page_size where name = ?',
    )
    .get(table) ?? { at: 0, size: 0 }
  database.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(size, 0xab), 0, size, at)
  closeSync(file)
}
