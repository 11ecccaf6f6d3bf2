import { asText } from '../../dialects/json.ts'
import { roughInput } from '../counting/estimate-input.ts'
import { isForm, makesPictures, type PlainCall } from './plain-call.ts'

/** Tokens of the prompt, as near as a length tells. Sounds, pictures and documents count when the answer is there. */
export function estimatePlain({ body, capability, fields }: PlainCall): number {
  if (capability === 'ocr') return 0
  if (makesPictures(capability) || isForm(body))
    return roughInput(Buffer.byteLength(asText(fields.prompt) ?? ''))
  return roughInput(Buffer.byteLength(body.text))
}
