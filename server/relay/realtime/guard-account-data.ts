import { findIn, findInPart, findInTools, listOf, prefixed } from '../../dialects/account-data.ts'
import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { asObject, asText, type Json, type JsonObject, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import type { Frame } from './frame.ts'
import type { Refused } from './guard-model.ts'

/** What cannot be named without one of these words; in JSON a letter can be written otherwise only behind `\u`. */
const marks = ['prompt', 'connector_id', 'tunnel_id', 'file_id', '\\u']

/** Why a frame is not handed on that names what the upstream would read with the operator's rights. */
export function refuseAccountFrame(frame: Frame): Refused | undefined {
  if (!marks.some(mark => frame.includes(mark))) return undefined
  const text = typeof frame === 'string' ? frame : frame.toString()
  if (isCrowded(text)) return { error: new AppError('relay.crowded-json', crowd), eventId: null }
  const event = parseObject(text)
  const field =
    event &&
    (findInSettings(event.session, 'session') ??
      findInSettings(event.response, 'response') ??
      prefixed('item', findInItem(asObject(event.item) ?? {})))
  if (!field) return undefined
  return {
    error: new AppError('feature.account-data', { field: field.slice(0, 200) }),
    eventId: asText(event.event_id) ?? null,
  }
}

function findInSettings(value: Json | undefined, field: string): string | undefined {
  const { prompt, tools, input } = asObject(value) ?? {}
  if (asObject(prompt)?.id) return `${field}.prompt.id`
  return prefixed(field, findInTools(tools) ?? findIn(listOf(input), 'input', findInItem))
}

function findInItem({ content }: JsonObject): string | undefined {
  return findIn(listOf(content), 'content', findInPart)
}
