import { findInTools, prefixed } from '../../dialects/account-data.ts'
import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { asObject, asText, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Frame } from './frame.ts'
import type { Refused } from './guard-model.ts'

/** What cannot be named without one of these words; in JSON a letter can be written otherwise only behind `\u`. */
const marks = ['connector_id', 'tunnel_id', '\\u']

/** Why a frame is not handed on that names what the upstream would read with the operator's rights. */
export function refuseAccountFrame(frame: Frame): Refused | undefined {
  if (!marks.some(mark => frame.includes(mark))) return undefined
  const text = typeof frame === 'string' ? frame : frame.toString()
  if (isCrowded(text)) return { error: new AppError('relay.crowded-json', crowd), eventId: null }
  const event = parseObject(text)
  const field =
    event &&
    (prefixed('session', findInTools(asObject(event.session)?.tools)) ??
      prefixed('response', findInTools(asObject(event.response)?.tools)))
  if (!field) return undefined
  return {
    error: new AppError('feature.account-data', { field: field.slice(0, 200) }),
    eventId: asText(event.event_id) ?? null,
  }
}
