import type { Selectable } from 'kysely'
import type { GeminiFiles } from '../../store/gemini-schema.ts'
import type { Caller } from '../callers/caller.ts'
import { sharedTokens } from '../chat/shares-answers.ts'
import type { RelayParts } from '../parts.ts'

export type GeminiFile = Selectable<GeminiFiles>

/** Those of a caller's of which all is there, and that their vendor has not thrown away. */
export async function ownFiles({ store, now }: RelayParts, caller: Caller) {
  const shared = await sharedTokens({ store }, caller)
  const own = store.db
    .selectFrom('gemini_files')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .where('upstream_name', '<>', '')
    .where('expires_at', '>', now())
  return { rows: shared ? own.where('token_id', 'in', shared) : own }
}

/** Those of these names, by name. */
export async function findFiles(
  parts: RelayParts,
  caller: Caller,
  names: readonly string[],
): Promise<ReadonlyMap<string, GeminiFile>> {
  const { rows } = await ownFiles(parts, caller)
  const found = await rows.where('name', 'in', [...names]).execute()
  return new Map(found.map(row => [row.name, row]))
}
