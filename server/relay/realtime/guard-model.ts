import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { asObject, asText, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Frame } from './frame.ts'

/** Why a client's frame is not handed on. */
export interface Refused {
  readonly error: AppError
  /** The client's own name for its event. */
  readonly eventId: string | null
}

/** The model of a session as its client and as its upstream name it. */
export interface ModelNames {
  readonly asked: string
  readonly upstream: string
}

/** A session is priced by its model: a frame that names another one is refused. Others go as they came. */
export function guardModel(frame: Frame, names: ModelNames): Frame | Refused {
  // In JSON a letter can be written otherwise only behind `\u`: without either there is no such field.
  if (!frame.includes('model') && !frame.includes('\\u')) return frame
  const text = typeof frame === 'string' ? frame : frame.toString()
  if (isCrowded(text)) return { error: new AppError('relay.crowded-json', crowd), eventId: null }
  const event = parseObject(text)
  if (!event) return { error: new AppError('relay.invalid-json'), eventId: null }
  let renamed = false
  for (const place of [event, asObject(event.session), asObject(event.response)]) {
    const model = place?.model
    if (!place || model === undefined || model === null) continue
    if (model !== names.asked && model !== names.upstream) return refuse(model, event.event_id)
    if (model === names.upstream) continue
    place.model = names.upstream
    renamed = true
  }
  return renamed ? JSON.stringify(event) : frame
}

function refuse(model: unknown, eventId: unknown): Refused {
  const named = asText(model)?.slice(0, 200) ?? ''
  return { error: new AppError('relay.model-denied', { model: named }), eventId: asText(eventId) ?? null }
}
