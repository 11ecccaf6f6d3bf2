import { AppError } from '../../errors.ts'

/** What a drawing can be made to do, as records name it. */
export const actions = {
  imagine: 'IMAGINE',
  upscale: 'UPSCALE',
  variation: 'VARIATION',
  highVariation: 'HIGH_VARIATION',
  lowVariation: 'LOW_VARIATION',
  pan: 'PAN',
  describe: 'DESCRIBE',
  blend: 'BLEND',
  upload: 'UPLOAD',
  shorten: 'SHORTEN',
  reroll: 'REROLL',
  inpaint: 'INPAINT',
  zoom: 'ZOOM',
  customZoom: 'CUSTOM_ZOOM',
  modal: 'MODAL',
  swapFace: 'SWAP_FACE',
  edits: 'EDITS',
  video: 'VIDEO',
} as const
export type Action = (typeof actions)[keyof typeof actions]

/** What an action is routed and priced by. */
export function modelOf(action: Action): string {
  return action === actions.swapFace ? 'swap_face' : `mj_${action.toLowerCase()}`
}

/** Actions that first open a window, where the next words are awaited: code 21 then means that. */
export function opensWindow(action: Action): boolean {
  return action === actions.inpaint || action === actions.customZoom
}

const changes: Readonly<Record<string, Action>> = {
  UPSCALE: actions.upscale,
  VARIATION: actions.variation,
  REROLL: actions.reroll,
}

/** The three that `change` knows; two of them are of one picture of the four. */
export function readChange(action: unknown, index: unknown): Action {
  if (typeof action !== 'string' || action === '') throw refused('action_is_required')
  const known = Object.hasOwn(changes, action) ? changes[action] : undefined
  if (!known) throw refused(`unknown_action:${action.slice(0, 100)}`)
  const isIndexed = known !== actions.reroll
  if (isIndexed && !(Number.isInteger(index) && Number(index) >= 1 && Number(index) <= 4))
    throw refused('index_is_required')
  return known
}

const shortPattern = /^\s*(\S{1,64})\s+(?:([UV])([1-4])|R)\s*$/i

/** `1320098173412546 U2` */
export function readSimpleChange(content: unknown): { taskId: string; action: Action; rest: string } {
  const [, taskId, kind, index] = typeof content === 'string' ? (shortPattern.exec(content) ?? []) : []
  if (taskId === undefined) throw refused('content_parse_failed')
  if (kind === undefined) return { taskId, action: actions.reroll, rest: 'R' }
  const letter = kind.toUpperCase()
  return { taskId, action: letter === 'U' ? actions.upscale : actions.variation, rest: `${letter}${index}` }
}

/** By the beginning of the verb in a button's id, the longer ones first. */
const verbs: readonly (readonly [string, Action])[] = [
  ['upsample', actions.upscale],
  ['high_variation', actions.highVariation],
  ['low_variation', actions.lowVariation],
  ['variation', actions.variation],
  ['pan', actions.pan],
  ['reroll', actions.reroll],
  ['outpaint', actions.zoom],
  ['customzoom', actions.customZoom],
  ['inpaint', actions.inpaint],
  ['animate', actions.video],
  ['picreader', actions.imagine],
  ['picread', actions.describe],
  ['promptanalyzer', actions.imagine],
]

/** `MJ::JOB::upsample::2::<uuid>`, `MJ::Outpaint::50::1::<uuid>::SOLO`: the button says what it does. */
export function readButton(customId: unknown): Action {
  if (typeof customId !== 'string' || customId === '') throw refused('custom_id_is_required')
  if (drawingsBy(customId) > 1) return actions.imagine
  const [, kind = '', job = ''] = customId.split('::', 3)
  const verb = (/^job$/i.test(kind) ? job : kind).toLowerCase()
  const found = verbs.find(([begin]) => verb.startsWith(begin))
  if (!found) throw refused(`unknown_action:${customId.slice(0, 100)}`)
  return found[1]
}

/** Of what is said of a picture. */
const DESCRIPTIONS = 4

/** How many drawings a button makes: one below the descriptions of a picture has each of them drawn. */
export function drawingsBy(customId: string): number {
  return /picreader::all/i.test(customId) ? DESCRIPTIONS : 1
}

export function refused(detail: string): AppError {
  return new AppError('task.field', { detail })
}
