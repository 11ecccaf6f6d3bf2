import { type JsonObject, parseObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { gatewayFields } from './gateway-fields.ts'
import { meantBy } from './odd-names.ts'
import { type Form, fieldOf } from './parse-multipart.ts'

/** What stands in a form as JSON, of what gateways heed or money depends on. */
const objects = [
  ...['extra_body', 'provider', 'providerOptions'],
  'sequential_image_generation_options',
] as const
const ownNames = new Map(objects.map(name => [name.toLowerCase(), name as string]))
/** Nobody says more in one of them. */
const LONGEST_OBJECT = 100_000

/**
 * What is decided by here has one place in a form. Many readers take `model[]` and `model.x` for it as well, some the
 * first of two and some the last: whoever gets the form next would do something else than what is looked at here.
 * `more` are names that decide besides, by what readers make of them.
 */
export function refuseOddForm({ parts }: Form, more?: ReadonlyMap<string, string>): void {
  const met = new Set<string>()
  for (const { name, isFile } of parts) {
    const base = baseName(name)
    const plain = base.toLowerCase()
    const meant = meantBy(base) ?? ownNames.get(plain) ?? more?.get(plain)
    // What goes to nobody may be said in any number.
    if (meant === undefined || (meant === base && gatewayFields.has(base))) continue
    const said = name.slice(0, 100)
    if (meant !== name) refuseField(said, 'field.spelling', { meant })
    if (isFile) refuseField(said, 'field.no-file')
    if (met.has(name)) refuseField(said, 'field.repeated')
    met.add(name)
  }
}

/** Without its place in a list or in an object: `fallbacks[]` and `fallbacks[0]` are `fallbacks`, and so is `[fallbacks]`. */
export function baseName(name: string): string {
  return (/[^[\].]+/.exec(name)?.[0] ?? '').trim()
}

/** One of those fields as it would stand in JSON: in a form it is text, and means nothing if it is not JSON. */
export function objectIn(form: Form, name: (typeof objects)[number] | 'metadata'): JsonObject | undefined {
  const text = fieldOf(form, name)
  if (text === undefined) return undefined
  if (text.length > LONGEST_OBJECT) refuseField(name, 'field.most-characters', { most: LONGEST_OBJECT })
  return parseObject(text)
}

/** The texts of a form by their names, each a list: what stands in `image` and in `image[]` is of one kind. */
export function textLists({ bytes, parts }: Form): JsonObject {
  const lists = new Map<string, string[]>()
  for (const { name, isFile, start, end } of parts) {
    const list = lists.get(baseName(name)) ?? []
    if (!isFile) lists.set(baseName(name), [...list, bytes.toString('utf8', start, end)])
  }
  return Object.fromEntries(lists)
}
