import { isObject, type JsonObject } from '../../dialects/json.ts'
import { withoutChosenVendors, withoutOtherModels } from '../chat/dear-fields.ts'
import { withoutBodyTags } from '../labels/body-tags.ts'
import { gatewayFields } from '../request/gateway-fields.ts'
import { baseName, objectIn } from '../request/odd-forms.ts'
import type { Form } from '../request/parse-multipart.ts'

const objects = ['extra_body', 'provider', 'providerOptions', 'metadata'] as const
/** Labels as LiteLLM's clients have them in a form; its own may send a call elsewhere by them. */
const tags = /^(litellm_metadata\b|metadata\[tags\])/

/** A form that is to go out, and what of its fields is to read otherwise than it came. */
export interface EditedForm {
  readonly form: Form
  readonly edits: Readonly<Record<string, string>>
}

/** Without all that the same request would be rid of in JSON. */
export function editForm(form: Form, allowsDear: boolean | undefined): EditedForm {
  const told: JsonObject = {}
  for (const name of objects)
    if (form.parts.some(part => part.name === name)) told[name] = objectIn(form, name) ?? null
  const changed = {
    ...withoutOtherModels(told),
    ...withoutBodyTags(told),
    ...(allowsDear ? {} : withoutChosenVendors(told.provider)),
  }
  const edits: Record<string, string> = {}
  for (const [name, value] of Object.entries(changed))
    if (isObject(value)) edits[name] = JSON.stringify(value)
  const stays = ({ name }: { readonly name: string }): boolean =>
    !gatewayFields.has(baseName(name)) && !tags.test(name) && (!(name in changed) || name in edits)
  return { form: { ...form, parts: form.parts.filter(stays) }, edits }
}
