import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { letOthersRun } from '../services/let-others-run.ts'

/** Rows written at once: about a millisecond, after which others get their turn. */
const AT_A_TIME = 500

/** Frozen values, such as the status document or sums of days that are over, are checked and written once. */
const written = new WeakMap<z.core.$ZodType, WeakMap<object, string>>()

/** Long answers come as bytes: text of megabytes would be encoded at one go, while every stream waits. */
export type Written = string | Buffer<ArrayBuffer>

/** The body of an answer. Only what the output schema names leaves the server. */
export function writeOutput(
  { output: schema, shape }: Endpoint,
  output: unknown,
): Written | Promise<Written> {
  const [before, after] = shape === 'bare' ? ['', ''] : ['{"success":true,"message":"","data":', '}']
  if (isLong(output) && schema instanceof z.core.$ZodArray)
    return writeRows([before, after], schema._zod.def.element, output)
  const long = schema instanceof z.core.$ZodObject && findRows(schema._zod.def.shape, output)
  if (!long) return before + writeValue(schema, output) + after
  const [head, tail] = textAround(schema, long)
  return writeRows([before + head, tail + after], long.element, long.rows)
}

function writeValue(schema: z.core.$ZodType, value: unknown): string {
  const isKept = typeof value === 'object' && value !== null && Object.isFrozen(value)
  const known = isKept ? written.get(schema)?.get(value) : undefined
  if (known !== undefined) return known
  const text = JSON.stringify(z.parse(schema, value) ?? null)
  if (isKept) keep(schema, value, text)
  return text
}

/** By the schema too: what one call may tell, another may not. */
function keep(schema: z.core.$ZodType, value: object, text: string): void {
  const kept = written.get(schema) ?? new WeakMap<object, string>()
  written.set(schema, kept.set(value, text))
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > AT_A_TIME
}

async function writeRows(
  [before, after]: readonly [string, string],
  element: z.core.$ZodType,
  rows: readonly unknown[],
): Promise<Written> {
  const parts: Buffer[] = [Buffer.from(`${before}[`)]
  for (let at = 0; at < rows.length; at += AT_A_TIME) {
    if (at > 0) await letOthersRun()
    const texts: string[] = []
    for (const row of rows.slice(at, at + AT_A_TIME)) texts.push(writeValue(element, row))
    parts.push(Buffer.from((at > 0 ? ',' : '') + texts.join()))
  }
  parts.push(Buffer.from(`]${after}`))
  return Buffer.concat(parts)
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
function textAround(schema: Endpoint['output'], { name, whole }: LongField): [string, string] {
  const { [name]: _, ...rest } = z.parse(schema, { ...whole, [name]: [] }) as Record<string, unknown>
  const others = JSON.stringify(rest).slice(1, -1)
  return [`{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:`, '}']
}
