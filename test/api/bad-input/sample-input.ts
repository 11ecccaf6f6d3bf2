import type * as z from 'zod/mini'

export type Schema = z.ZodMiniType
/** Field to value, as the schema might be written by someone who means well. */
export type Sample = Record<string, unknown>

/** What a field of this name holds when it is meant well; the first that its schema takes. */
const byName: Readonly<Record<string, readonly unknown[]>> = {
  ids: [[987_654]],
  username: ['someone'],
  password: ['users-pass-9'],
  email: ['someone@example.com'],
  base_url: ['http://127.0.0.1:9'],
  models: ['gpt-4o'],
  group: ['default'],
  type: [1, '1'],
  action: ['enable'],
  method: ['password'],
  model_mapping: ['{"a":"b"}'],
  setting: ['{}'],
  status_code_mapping: ['{"400":"500"}'],
  expired_time: [-1],
  after_id: ['0'],
  payment_method: ['stripe'],
  messages: [[{ role: 'user', content: 'Hello {{name}}' }]],
}
/** What takes the place of all other fields. */
const instead = ['channel']
const usual: readonly unknown[] = ['1', 1, true, [], {}, null]

interface Def {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema>>
  readonly innerType?: Schema
  readonly valueType?: Schema
  readonly entries?: Readonly<Record<string, unknown>>
  readonly values?: readonly unknown[]
}

function defOf(schema: Schema): Def {
  return schema._zod.def as unknown as Def
}

/** Some names to try where any name will do. */
const anyNames = ['id', 'hash', 'auth_date', 'first_name', '__proto__']

/** The fields of an object's schema, through what may be left out; none when it is something else. */
export function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> {
  const { type, shape, innerType, valueType } = defOf(schema)
  if (type === 'record' && valueType) return Object.fromEntries(anyNames.map(name => [name, valueType]))
  return shape ?? (innerType ? fieldsOf(innerType) : {})
}

/** A whole input that its schema takes, every field given; `given` goes before what a name suggests. */
export function sampleOf(schema: Schema, given: Sample = {}): Sample {
  const sample: Sample = {}
  for (const [name, field] of Object.entries(fieldsOf(schema))) {
    if (instead.includes(name)) continue
    const value = valueFor(name, field, given)
    if (value !== undefined) sample[name] = value
  }
  return sample
}

function valueFor(name: string, schema: Schema, given: Sample): unknown {
  const wanted = [
    ...(Object.hasOwn(given, name) ? [given[name], String(given[name])] : []),
    ...(Object.hasOwn(byName, name) ? (byName[name] ?? []) : []),
  ]
  const fitting = (values: readonly unknown[]) => values.find(value => schema.safeParse(value).success)
  const named = fitting(wanted)
  if (named !== undefined) return named
  const { type, innerType, shape, entries, values } = defOf(schema)
  if (innerType) return valueFor(name, innerType, given)
  if (shape) return sampleOf(schema, given)
  if (type === 'enum') return Object.values(entries ?? {})[0]
  if (type === 'literal') return values?.[0]
  return fitting(usual)
}
