import type { JsonObject } from '../../dialects/json.ts'
import type { DialectName } from '../../dialects/spec.ts'
import type { StoringDialect } from '../request/match-route.ts'
import { interactionForm } from './interaction-form.ts'
import { responseForm } from './response-form.ts'

/** The last event that a client has, in its vendor's way to name one. */
export type LastEvent = number | string

/** How a vendor tells of what it makes in the background: all else is the same for each of them. */
export interface JobForm {
  readonly dialect: StoringDialect
  isOver(told: JsonObject): boolean
  /** Undefined when this is nothing that can be asked after. */
  idOf(told: JsonObject | undefined): string | undefined
  /** Whether it is made without its client, as far as the vendor says so. */
  goesOn(told: JsonObject): boolean
  /** What an event tells of the whole; undefined of most. */
  toldIn(event: JsonObject): JsonObject | undefined
  /** What an event tells that ends it unless one follows that tells of the whole; absent: every end tells of it. */
  readonly statusIn?: (event: JsonObject) => JsonObject | undefined
  /** One that ends it looks like this, and few others do. */
  readonly endings: RegExp
  /** Whether the event that ends it may leave out what it used, and how often it searched. */
  readonly endsBriefly: boolean
  /** What stands behind the event that ends it. */
  readonly endMark: string
  /** Of an event that adds to the answer: its place among them, and what it says. `at`: how many such came before it. */
  heardIn(event: JsonObject, at: number): { readonly at: number | undefined; readonly words: string }
  /** How long it took, in seconds, by its vendor's clock; undefined where that does not tell. */
  secondsOf(told: JsonObject): number | undefined
  /** What a client may say of what it wants to see. */
  readonly askable: ReadonlySet<string>
  /** From where on a client wants events. */
  readLast(query: URLSearchParams): LastEvent | undefined
  /** How the vendor is asked for events from there on; nothing where all of them have to come. */
  askAfter(last: LastEvent): readonly (readonly [name: string, value: string])[]
  /** Which of the events, as they come from the first on or from there on, the client has not got yet. */
  behind(last: LastEvent): (event: JsonObject | undefined) => boolean
}

/** No other dialect has any. */
export function formOf(dialect: DialectName): JobForm {
  return dialect === 'gemini-interactions' ? interactionForm : responseForm
}
