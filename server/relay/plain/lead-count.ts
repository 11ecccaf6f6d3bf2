import { mayNameFiles } from '../../dialects/file-names.ts'
import { placeOfFiles } from '../anthropic/lead-to-files.ts'
import { leadCount as leadToGemini } from '../gemini/lead-count.ts'
import { type FilesLead, leadOfFiles } from '../openai-kept/lead-to-files.ts'
import type { Asking } from '../openai-kept/lead-to-kept.ts'
import type { FoundPlace } from '../routing/place.ts'
import type { PlainCall } from './plain-call.ts'

export interface LedCount extends FilesLead {
  /** In the words of the account that can count it. */
  readonly call: PlainCall
}

/** Where a prompt can be counted that names what accounts keep; undefined when any of them can. */
export async function leadCount(asking: Asking, call: PlainCall): Promise<LedCount | undefined> {
  const { parts, admitted } = asking
  if (call.form === 'gemini') {
    const led = await leadToGemini(parts, admitted.caller, call)
    return led && bound(led.call, led.place)
  }
  if (!('json' in call.body) || !mayNameFiles(call.body.text)) return undefined
  if (call.form === 'openai') {
    const lead = await leadOfFiles(asking, call.body)
    return lead && { ...lead, call }
  }
  const place = await placeOfFiles(asking, call.body)
  return place && bound(call, place)
}

function bound(call: PlainCall, place: FoundPlace): LedCount {
  return { call, place, may: ({ id }) => id === place.channel.id }
}
