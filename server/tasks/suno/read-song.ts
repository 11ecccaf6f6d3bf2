import { asNumber, asObject, asText, isObject, type Json } from '../../dialects/json.ts'
import type { Reading } from '../../relay/guards/read-request.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskReport } from '../define.ts'
import { wordsIn } from '../task-words.ts'

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

/** Where a vendor repeats it. */
const ASKED = 'gpt_description_prompt'

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

/** Its lyrics, title and style. What it was asked for has been read before. */
export function wordsOfSong(report: TaskReport): Reading<TaskReport> {
  const { data } = report
  return {
    places: () => (Array.isArray(data) || isObject(data) ? wordsIn(data, name => name !== ASKED) : []),
    written: () => report,
  }
}

function readSeconds(value: Json | undefined): number {
  const seconds = asNumber(value) ?? 0
  return Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11 ? seconds * 1000 : 0
}
