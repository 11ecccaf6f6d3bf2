import type { Selectable } from 'kysely'
import { type JsonObject, parseObject } from '../../dialects/json.ts'
import type { RelayParts } from '../../relay/parts.ts'
import type { Midjourneys } from '../../store/task-schema.ts'
import type { OwnedCall } from '../define.ts'
import { withoutOthers } from '../runs.ts'
import { actions } from './actions.ts'

export type Drawing = Selectable<Midjourneys>

export async function findDrawings({ store }: RelayParts, ids: readonly string[]): Promise<Drawing[]> {
  if (ids.length === 0) return []
  return store.db.selectFrom('midjourneys').selectAll().where('mj_id', 'in', ids).orderBy('id').execute()
}

/** Only the caller's. */
export async function findOwnDrawings(call: OwnedCall, ids: readonly string[]): Promise<Drawing[]> {
  const found = await findDrawings(call.parts, await withoutOthers(call, ids))
  return found.filter(({ user_id }) => user_id === call.admitted.caller.userId)
}

/** A drawing in the words of the proxy's own clients; `origin` is where they found us. */
export function showTask(parts: RelayParts, row: Drawing, origin = ''): JsonObject {
  const { videoUrl, videoUrls, ...properties } = parseObject(row.properties) ?? {}
  return {
    id: row.mj_id,
    action: row.action,
    customId: '',
    botType: '',
    // To describe a picture nobody writes anything: the words are what comes of it.
    prompt: row.prompt || (row.action === actions.describe ? row.prompt_en : ''),
    promptEn: row.prompt_en,
    description: row.description,
    state: row.state,
    submitTime: row.submit_time,
    startTime: row.start_time,
    finishTime: row.finish_time,
    imageUrl: pictureUrl(parts, row, origin),
    ...(videoUrl ? { videoUrl } : {}),
    ...(videoUrls ? { videoUrls } : {}),
    status: row.status || 'NOT_START',
    progress: row.progress,
    failReason: row.fail_reason,
    buttons: readButtons(row.buttons),
    maskBase64: '',
    properties,
  }
}

/** By way of this server, if the operator wants that; an unfinished picture is never the same twice. */
function pictureUrl({ settings }: RelayParts, row: Drawing, origin: string): string {
  if (row.image_url === '' || !settings.get('MjForwardUrlEnabled')) return row.image_url
  const address = settings.get('ServerAddress').replace(/\/+$/, '') || origin
  const fresh = row.status === 'SUCCESS' ? '' : `?rand=${row.progress.replace('%', '')}`
  return `${address}/mj/image/${row.mj_id}${fresh}`
}

function readButtons(text: string): JsonObject[] {
  try {
    const buttons: unknown = JSON.parse(text || '[]')
    return Array.isArray(buttons) ? (buttons as JsonObject[]) : []
  } catch {
    return []
  }
}
