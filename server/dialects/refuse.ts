import type { featureErrors } from '../../contract/errors/features.ts'
import type { fieldErrors } from '../../contract/errors/fields.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { AppError } from '../errors.ts'

type Fields = typeof fieldErrors
type Features = typeof featureErrors
type FieldCode = keyof Fields
type FeatureCode = keyof Features

/** The parameters that stand in a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never
/** None where there are none. */
type Given<Names extends string> = [Names] extends [never]
  ? []
  : [params: Readonly<Record<Names, string | number>>]

/** What is wrong with a field of a request, said to its sender. */
export function refuseField<Code extends FieldCode>(
  field: string,
  code: Code,
  ...[params]: Given<Exclude<NamesIn<Fields[Code]['en']>, 'field'>>
): never {
  throw new AppError(code, { field, ...params })
}

export function refuseChoice(field: string, choices: readonly string[]): never {
  refuseField(field, 'field.one-of', { choices: choices.join(', ') })
}

export function refuseValue(field: string, value: unknown): never {
  refuseField(field, 'field.unknown-value', { value: quote(value) })
}

/** A stranger's value in a message: short whatever it is. */
function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
  return text.length > 40 ? `"${text.slice(0, 40)}…"` : `"${text}"`
}

/** What a dialect cannot say, and must not be lost: another channel may be able to. */
export function refuseFeature<Code extends FeatureCode>(
  code: Code,
  ...[params]: Given<NamesIn<Features[Code]['en']>>
): never {
  throw new AppError(code, params)
}

/** The same of what a request has a name for. Sentences are no names: they have two languages. */
export function refuseNamed<Name extends string>(
  name: Name extends `${string} ${string}` ? never : Name,
  value?: unknown,
): never {
  if (value === undefined) refuseFeature('feature.named', { name })
  refuseFeature('feature.value', { name, value: String(value) })
}

/** A part of a message. */
export function refusePart(type: string): never {
  if (type === 'image' || type === 'audio' || type === 'file') refuseFeature(`feature.${type}`)
  refuseNamed(type === 'tool-call' || type === 'tool-result' ? 'tools' : type)
}

export function isFieldCode(code: ErrorCode): boolean {
  return code.startsWith('field.')
}

/** Whether it only says that this upstream cannot do it. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof AppError && error.code.startsWith('feature.')
}
