import { asText, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { refuseMisspelled, spelled } from '../../relay/request/odd-names.ts'
import type { OwnedCall } from '../define.ts'
import { findOwnRun, type TaskRun } from '../runs.ts'

export interface WantedSong {
  readonly action: 'MUSIC' | 'LYRICS'
  readonly body: JsonObject
  readonly origin: TaskRun | undefined
  readonly input: string
}

/** Fields in which people write. */
const spoken = ['prompt', 'gpt_description_prompt', 'title', 'tags'] as const
/** What is read here: proxies that do not mind capitals would read what nobody has looked at. */
const names = spelled([...spoken, 'notify_hook', 'task_id', 'continue_clip_id', 'mv'])

export async function readSubmission(
  call: OwnedCall,
  platform: string,
  fields: JsonObject,
): Promise<WantedSong> {
  const action = call.params.kind?.toUpperCase()
  if (action !== 'MUSIC' && action !== 'LYRICS') throw refused('invalid_action')
  refuseMisspelled(fields, names)
  // The owner is told by what they fetch; an address of theirs is never given to an upstream.
  const { notify_hook: _hook, task_id: taskId, ...body } = fields
  const input = spoken.flatMap(field => asText(body[field]) || []).join('\n')
  if (action === 'LYRICS') {
    if (!asText(body.prompt)) throw refused('prompt_empty')
    return { action, body, origin: undefined, input }
  }
  if (!body.continue_clip_id) return { action, body: { mv: 'chirp-v3-0', ...body }, origin: undefined, input }
  const id = asText(taskId)
  if (!id) throw refused('task_id_is_required')
  const origin = await findOwnRun(call, platform, id)
  if (!origin || origin.upstream_id === '') throw new AppError('task.not-found')
  return { action, body: { mv: 'chirp-v3-0', ...body, task_id: origin.upstream_id }, origin, input }
}

function refused(detail: string): AppError {
  return new AppError('task.field', { detail })
}
