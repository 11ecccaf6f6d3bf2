import type { JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { noteRefusal } from '../order/note-refusal.ts'
import type { Order } from '../order/order.ts'
import { textsOfRequest } from '../request/spoken-texts.ts'
import type { Asking } from './ask-rule.ts'
import { CallGuard } from './call-guard.ts'
import { refusesUnasked } from './guards.ts'

/**
 * The rules for the lines of a batch, which all ask the same model. Only what is found here: others are not asked about
 * thousands of lines, nor can they say which of them is wrong.
 */
export class LineGuard {
  readonly #asking: Omit<Asking, 'model'>
  #model: string | undefined
  #guard: CallGuard | undefined

  constructor(asking: Omit<Asking, 'model'>) {
    this.#asking = asking
  }

  /** Masks what is found in a line, and tells whether there was something; throws where a rule blocks it. */
  mask(model: string, body: JsonObject): boolean {
    if (this.#asking.parts.guards.areIdle) return false
    if (this.#model === undefined) {
      this.#model = model
      this.#guard = CallGuard.for({ ...this.#asking, model })
    }
    return this.#guard?.rules.input ? this.#guard.readRequest(textsOfRequest(body)) : false
  }

  /** Refuses a batch that others would have to be asked about, as far as the operator wants that. */
  admit(): void {
    const { input, output } = this.#guard?.rules ?? {}
    for (const rule of [...(input?.asked ?? []), ...(output?.asked ?? [])])
      if (refusesUnasked(rule)) throw new AppError('guard.lines', { rule: rule.name })
  }

  /** Before there is an order: a refusal by the rules leaves its row. */
  note(error: unknown): void {
    const { parts, incoming, admitted } = this.#asking
    const cause = error instanceof AppError && error.code === 'file.line' ? error.cause : error
    if (!(cause instanceof AppError && cause.code.startsWith('guard.'))) return
    const asked = { model: this.#model ?? '', stream: false }
    noteRefusal(parts, incoming, admitted, asked, error, this.#guard?.tally.seen)
  }

  /** From here on the order's row tells what was found. */
  join(order: Order): void {
    order.guard = this.#guard
  }
}
