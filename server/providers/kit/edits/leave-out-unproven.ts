import { asText, isObject, type Json, type JsonObject } from '../../../dialects/json.ts'
import { isOwnId } from '../../../dialects/openai-responses/item-ids.ts'
import { unseal } from '../../../dialects/openai-responses/seal-signature.ts'
import type { Edits } from '../../define.ts'

/**
 * Thoughts of other vendors' models, which a Responses client sends back with the conversation, mean nothing
 * to the vendor: what another one sealed is a 400, and an item that was named here is a 404.
 */
export function leaveOutUnproven(body: JsonObject): Edits | undefined {
  if (!Array.isArray(body.input) || !body.input.some(isUnproven)) return undefined
  return { input: body.input.filter(item => !isUnproven(item)) }
}

function isUnproven(item: Json): boolean {
  if (!isObject(item)) return false
  const id = asText(item.id) ?? ''
  if (item.type === 'item_reference') return id.startsWith('rs_') && isOwnId(id)
  if (item.type !== 'reasoning') return false
  const sealed = asText(item.encrypted_content) ?? ''
  return sealed === '' ? isOwnId(id) : isSealedElsewhere(sealed)
}

function isSealedElsewhere(content: string): boolean {
  const sealed = unseal(content)
  return sealed.kind !== 'thinking' || sealed.signature.by !== 'openai-responses'
}
