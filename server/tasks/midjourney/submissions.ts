import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { refuseMisspelled, spelled } from '../../relay/request/odd-names.ts'
import type { OwnedCall, TaskProvider } from '../define.ts'
import { findOwnRun, runStates, type TaskRun } from '../runs.ts'
import type { Submission } from '../submit.ts'
import {
  type Action,
  actions,
  drawingsBy,
  modelOf,
  readButton,
  readChange,
  readSimpleChange,
  refused,
} from './actions.ts'
import { askDrawing } from './ask-drawing.ts'
import { repeatsIn } from './repeats.ts'
import { asksForTurbo, priceOfTurbo } from './speed.ts'

/** What is asked for, once its body has been read. */
interface Wanted {
  readonly action: Action
  /** Where it goes at the upstream. */
  readonly path: string
  readonly origin?: TaskRun | undefined
  /** Fields that name things by our ids, in the upstream's words. */
  readonly edits?: JsonObject | undefined
  readonly input?: string | undefined
  /** How many drawings it is. */
  readonly drawings?: number | undefined
}

type Reader = (call: OwnedCall, body: JsonObject, platform: string) => Promise<Wanted> | Wanted

const readers: Readonly<Record<string, Reader>> = {
  imagine: (_call, body) => {
    requireText(body.prompt, 'prompt_is_required')
    return { action: actions.imagine, path: 'submit/imagine' }
  },
  describe: (_call, body) => {
    if (!asText(body.base64) && !asText(body.link)) throw refused('base64_is_required')
    return { action: actions.describe, path: 'submit/describe' }
  },
  blend: (_call, body) => {
    if (asArray(body.base64Array).length < 2) throw refused('base64_array_is_required')
    return { action: actions.blend, path: 'submit/blend' }
  },
  shorten: (_call, body) => {
    requireText(body.prompt, 'prompt_is_required')
    return { action: actions.shorten, path: 'submit/shorten' }
  },
  edits: (_call, body) => {
    requireText(body.prompt, 'prompt_is_required')
    return { action: actions.edits, path: 'submit/edits' }
  },
  video: async (call, body, platform) => {
    const origin = body.taskId ? await findOrigin(call, platform, body.taskId) : undefined
    return { action: actions.video, path: 'submit/video', ...(origin && fromTask(origin)) }
  },
  'upload-discord-images': (_call, body) => {
    if (asArray(body.base64Array).length === 0) throw refused('base64_array_is_required')
    return { action: actions.upload, path: 'submit/upload-discord-images' }
  },
  swap: (_call, body) => {
    if (!asText(body.sourceBase64) || !asText(body.targetBase64))
      throw refused('sour_base64_and_target_base64_is_required')
    return { action: actions.swapFace, path: 'insight-face/swap' }
  },
  change: async (call, body, platform) => {
    const action = readChange(body.action, body.index)
    const origin = await findOrigin(call, platform, body.taskId)
    return { action, path: 'submit/change', ...fromTask(origin) }
  },
  'simple-change': async (call, body, platform) => {
    const { taskId, action, rest } = readSimpleChange(body.content)
    const origin = await findOrigin(call, platform, taskId)
    const edits = { content: `${origin.upstream_id} ${rest}` }
    return { action, path: 'submit/simple-change', origin, edits }
  },
  action: async (call, body, platform) => {
    const action = readButton(body.customId)
    const origin = await findOrigin(call, platform, body.taskId)
    const drawings = drawingsBy(asText(body.customId) ?? '')
    return { action, path: 'submit/action', ...fromTask(origin), drawings }
  },
  modal: async (call, body, platform) => {
    const origin = await findOrigin(call, platform, body.taskId, 'any')
    return { action: actions.modal, path: 'submit/modal', ...fromTask(origin) }
  },
}

function fromTask(origin: TaskRun) {
  return { origin, edits: { taskId: origin.upstream_id } }
}

/** The caller's own, and finished, where the operator wants that first. */
async function findOrigin(
  call: OwnedCall,
  platform: string,
  id: Json | undefined,
  wanted: 'done' | 'any' = 'done',
): Promise<TaskRun> {
  if (typeof id !== 'string' || id === '') throw refused('task_id_is_required')
  const run = await findOwnRun(call, platform, id)
  if (!run || run.upstream_id === '') throw new AppError('task.not-found')
  const isStrict = wanted === 'done' && call.parts.settings.get('MjActionCheckSuccessEnabled')
  if (isStrict && run.state !== runStates.done) throw new AppError('task.not-done')
  return run
}

function requireText(value: Json | undefined, detail: string): void {
  if (typeof value !== 'string' || value.trim() === '') throw refused(detail)
}

const modes = new Set(['mj-fast', 'mj-turbo', 'mj-relax'])
/** What may stand in front: only proxies of the larger kind know it. */
const PLUS = 5

/** What is read here: many proxies do not mind capitals, and heed the last of two that they take for one. */
const names = spelled([
  ...['prompt', 'content', 'action', 'index', 'customId', 'taskId'],
  ...['base64', 'base64Array', 'link', 'sourceBase64', 'targetBase64'],
  ...['batchSize', 'accountFilter', 'notifyHook', 'state'],
])
const filters = spelled(['modes'])

export async function readSubmission(
  call: OwnedCall,
  provider: TaskProvider,
  kind: string,
  json: JsonObject,
): Promise<Submission> {
  const { parts, params } = call
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (!read) throw refused(`unknown_action:${kind}`)
  refuseMisspelled(json, names)
  refuseMisspelled(asObject(json.accountFilter), filters)
  const wanted = await read(call, json, provider.platform)
  const body = compose(call, json, wanted.edits)
  const { action, origin, drawings = 1 } = wanted
  const mode = params.mode !== undefined && modes.has(params.mode) ? `/${params.mode}` : ''
  const model = modelOf(action)
  const isTurbo = asksForTurbo(body)
  const turbo = isTurbo || mode === '/mj-turbo' ? priceOfTurbo(parts, model) : undefined
  // Whoever has words made shorter has nothing drawn.
  const times = drawings * (action === actions.shorten ? 1 : repeatsIn(body))
  return {
    provider,
    action,
    model,
    ...turbo,
    ...((turbo || times > 1) && { calls: (turbo?.calls ?? 1) * times }),
    origin,
    input: asText(json.prompt) ?? asText(json.content) ?? '',
    state: asText(json.state) ?? '',
    hook: parts.settings.get('MjNotifyEnabled') ? (asText(json.notifyHook) ?? '').slice(0, 2000) : '',
    ask: async (upstream, { id }) => {
      const prefix = upstream.channel.type === PLUS ? mode : ''
      const path = `${prefix}/mj/${wanted.path}`
      const accepted = await askDrawing(parts, upstream, { id, action, path, body })
      // An upstream that was not told to hurry does not.
      return mode === '/mj-turbo' && prefix === '' && !isTurbo ? { ...accepted, calls: times } : accepted
    },
  }
}

/** The body as its upstream may see it. */
function compose({ parts: { settings } }: OwnedCall, json: JsonObject, edits: JsonObject = {}): JsonObject {
  const { notifyHook: _hook, accountFilter, ...rest } = json
  const prompt = asText(json.prompt)
  return {
    ...rest,
    ...(accountFilter !== undefined && settings.get('MjAccountFilterEnabled') && { accountFilter }),
    ...(prompt !== undefined && settings.get('MjModeClearEnabled') && { prompt: clearModes(prompt) }),
    ...edits,
  }
}

function clearModes(prompt: string): string {
  // Blanks are looked at from the first of them alone: from each, a long row of them would take its square.
  return prompt.replace(/(?<!\s)\s*(?<!\S)(?:--|—)(?:fast|relax|turbo)(?!\S)/g, '').trim()
}
