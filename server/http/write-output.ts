import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { Turn } from '../services/give-way.ts'
import { keptTextOf } from '../services/kept-text.ts'

/** More rows than these are written in turns. */
const AT_ONCE = 100
/** Letters put into bytes at once: a text of many pieces costs most when it is made one. */
const LONGEST_PART = 128 * 1024

/** Frozen values, such as the status document, are checked and written once for each schema. */
const written = new WeakMap<z.core.$ZodType, WeakMap<object, string>>()

/** Long answers come as bytes and in parts: megabytes would be encoded or copied at one go, while all streams wait. */
export type Written = string | readonly Buffer<ArrayBuffer>[]

/** The body of an answer. Only what the output schema names leaves the server. */
export function writeOutput(
  { output: schemas, shape }: Endpoint,
  output: unknown,
): Written | Promise<Written> {
  const schema = formOf(schemas, output)
  const [before, after] = shape === 'bare' ? ['', ''] : ['{"success":true,"message":"","data":', '}']
  if (isLong(output) && schema instanceof z.core.$ZodArray)
    return writeRows([before, after], schema._zod.def.element, output)
  const long = schema instanceof z.core.$ZodObject && findRows(schema._zod.def.shape, output)
  if (!long) return before + writeWhole(schema, output) + after
  const [head, tail] = textAround(schema, long)
  return writeRows([before + head, tail + after], long.element, long.rows)
}

/** Some calls answer with a bare list or with a page of one: what is long must be seen to be long. */
function formOf(schema: Endpoint['output'], output: unknown): z.core.$ZodType {
  if (!(schema instanceof z.core.$ZodUnion) || typeof output !== 'object') return schema
  const wanted = Array.isArray(output) ? z.core.$ZodArray : z.core.$ZodObject
  const forms = schema._zod.def.options.filter(form => form instanceof wanted)
  return forms.length === 1 && forms[0] ? forms[0] : schema
}

function writeWhole(schema: z.core.$ZodType, value: unknown): string {
  const isKept = typeof value === 'object' && value !== null && Object.isFrozen(value)
  const known = isKept ? written.get(schema)?.get(value) : undefined
  if (known !== undefined) return known
  const text = writeValue(schema, value)
  if (isKept) keep(schema, value, text)
  return text
}

interface Some {
  readonly text: string
  readonly rows: number
}

/** The row at a place, or it and those whose text is kept together with its own. */
function writeSome(schema: z.core.$ZodType, rows: readonly unknown[], at: number): Some {
  const kept = keptTextOf(rows[at])
  const many = kept?.rowsAt(rows, at) ?? 0
  if (!kept || many === 0) return { text: writeValue(schema, rows[at]), rows: 1 }
  if (kept.schema !== schema) {
    const texts = rows.slice(at, at + many).map(row => writeValue(schema, row))
    Object.assign(kept, { schema, text: texts.join() })
  }
  return { text: kept.text, rows: many }
}

function writeValue(schema: z.core.$ZodType, value: unknown): string {
  return JSON.stringify(z.parse(schema, value) ?? null)
}

/** By the schema too: what one call may tell, another may not. */
function keep(schema: z.core.$ZodType, value: object, text: string): void {
  const kept = written.get(schema) ?? new WeakMap<object, string>()
  written.set(schema, kept.set(value, text))
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > AT_ONCE
}

/** The compiled form of a schema, which takes a third of the time and which `zod/mini` leaves out. */
const compiled = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

function compile(schema: z.core.$ZodType): z.core.$ZodType {
  if (!(schema instanceof z.core.$ZodObject)) return schema
  const form = compiled.get(schema) ?? new z.core.$ZodObjectJIT(schema._zod.def)
  compiled.set(schema, form)
  return form
}

async function writeRows(
  [before, after]: readonly [string, string],
  schema: z.core.$ZodType,
  rows: readonly unknown[],
): Promise<Written> {
  const element = compile(schema)
  const parts: Buffer<ArrayBuffer>[] = []
  const turn = new Turn()
  let text = `${before}[`
  for (let at = 0; at < rows.length; ) {
    if (text.length > LONGEST_PART) {
      parts.push(Buffer.from(text))
      text = ''
    }
    const some = writeSome(element, rows, at)
    text += at > 0 ? `,${some.text}` : some.text
    at += some.rows
    if (turn.isOver(some.rows)) await turn.next()
  }
  parts.push(Buffer.from(`${text}]${after}`))
  return parts
}

interface LongField {
  readonly name: string
  readonly element: z.core.$ZodType
  readonly rows: readonly unknown[]
  readonly whole: object
}

/** The field of an answer that has many rows. */
function findRows(shape: Readonly<Record<string, z.core.$ZodType>>, output: unknown): LongField | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  for (const [name, rows] of Object.entries(output)) {
    const field = shape[name]
    if (isLong(rows) && field instanceof z.core.$ZodArray)
      return { name, rows, element: field._zod.def.element, whole: output }
  }
  return undefined
}

/** What stands before and after the rows. */
function textAround(schema: z.core.$ZodType, { name, whole }: LongField): [string, string] {
  const { [name]: _, ...rest } = z.parse(schema, { ...whole, [name]: [] }) as Record<string, unknown>
  const others = JSON.stringify(rest).slice(1, -1)
  return [`{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:`, '}']
}
