import { mayNameFiles } from '../../dialects/anthropic/named-files.ts'
import { placeOfFiles } from '../anthropic/lead-to-files.ts'
import { leadCount as leadToGemini } from '../gemini/lead-count.ts'
import type { Asking } from '../openai-kept/lead-to-kept.ts'
import type { FoundPlace } from '../routing/place.ts'
import type { PlainCall } from './plain-call.ts'

/** Which account can count a prompt that names what it keeps, in its words; undefined when any can. */
export async function leadCount(
  asking: Asking,
  call: PlainCall,
): Promise<{ readonly call: PlainCall; readonly place: FoundPlace } | undefined> {
  const { parts, admitted } = asking
  if (call.form !== 'anthropic') return leadToGemini(parts, admitted.caller, call)
  if (!('json' in call.body) || !mayNameFiles(call.body.text)) return undefined
  const place = await placeOfFiles(asking, call.body)
  return place && { call, place }
}
