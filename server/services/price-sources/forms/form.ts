import * as z from 'zod/mini'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Endpoints } from '../../../../contract/index.ts'
import type { Offer } from '../offers.ts'

/** One of the ways in which prices are published. */
export interface Form<Row = unknown> {
  readonly name: OutputOf<Endpoints['comparePrices']>['form']
  /** What the list consists of; undefined for an answer that is written in another form. */
  rows(answer: unknown): readonly Row[] | undefined
  /** What one of them says. */
  offers(row: Row): readonly Offer[]
}

/** A kind of list is known by what stands at its beginning. */
const LOOKED_AT = 100

export function isListOf(rows: readonly unknown[], row: z.ZodMiniType): boolean {
  return rows.slice(0, LOOKED_AT).some(each => row.safeParse(each).success)
}

/** A field that may hold anything, or not be there. */
export const anything = z.optional(z.unknown())

export const anyMap = z.record(z.string(), z.unknown())

/** The entries of an object, if it is one. */
export function entriesOf(value: unknown): [string, unknown][] | undefined {
  const map = anyMap.safeParse(value)
  return map.success ? Object.entries(map.data) : undefined
}

/** The rows of `{ data: [...] }`. */
export function dataRows(answer: unknown): readonly unknown[] | undefined {
  return z.object({ data: z.array(z.unknown()) }).safeParse(answer).data?.data
}
