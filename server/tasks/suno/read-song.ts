import { asNumber, asObject, asText, type Json } from '../../dialects/json.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskReport } from '../define.ts'

const known = new Set([
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'FAILURE',
  'SUCCESS',
  'UNKNOWN',
] as const)
const progress: Readonly<Record<string, string>> = {
  SUBMITTED: '10%',
  QUEUED: '20%',
  IN_PROGRESS: '30%',
  SUCCESS: '100%',
  FAILURE: '100%',
}

/** A song as its upstream tells of it; undefined when this is none. */
export function readSong(upstream: Upstream, value: Json): TaskReport | undefined {
  const song = asObject(value)
  const said = asText(song?.status)
  if (!song || said === undefined) return undefined
  const status = (known as ReadonlySet<string>).has(said) ? said : 'UNKNOWN'
  return {
    outcome: status === 'SUCCESS' ? 'done' : status === 'FAILURE' ? 'failed' : 'running',
    status,
    progress: progress[status] ?? '0%',
    failReason: upstream.clean(asText(song.fail_reason) ?? ''),
    startedAt: readSeconds(song.start_time),
    finishedAt: readSeconds(song.finish_time),
    ...(song.data !== undefined && song.data !== null && { data: song.data }),
  }
}

function readSeconds(value: Json | undefined): number {
  const seconds = asNumber(value) ?? 0
  return Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11 ? seconds * 1000 : 0
}
