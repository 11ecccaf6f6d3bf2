import { asObject } from '../../dialects/json.ts'
import { editTopLevel } from '../../providers/kit/edits/edit-json.ts'
import type { Caller } from '../callers/caller.ts'
import type { RelayParts } from '../parts.ts'
import type { PlainCall } from '../plain/plain-call.ts'
import type { FoundPlace } from '../routing/place.ts'
import { findKept, mayNameFiles } from './lead-to-kept.ts'

/** Which account can count a prompt that names what it keeps, in its words; undefined when any can. */
export async function leadCount(
  parts: RelayParts,
  caller: Caller,
  call: PlainCall,
): Promise<{ readonly call: PlainCall; readonly place: FoundPlace } | undefined> {
  const { form, fields, body } = call
  if (form !== 'gemini' || !('json' in body)) return undefined
  const inner = asObject(fields.generateContentRequest)
  if (!inner?.cachedContent && !mayNameFiles(body.text)) return undefined
  const kept = await findKept(parts, caller, inner ?? fields)
  if (!kept) return undefined
  const edits = inner ? { generateContentRequest: { ...inner, ...kept.edits } } : kept.edits
  const json = { ...body.json, ...edits }
  const led = {
    ...call,
    fields: { ...fields, ...edits },
    body: { text: editTopLevel(body.text, edits), json },
  }
  return { call: led, place: kept.place }
}
