import type { JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { noteRefusal } from '../order/note-refusal.ts'
import type { Order } from '../order/order.ts'
import { textsOfRequest } from '../request/spoken-texts.ts'
import type { Asking } from './ask-rule.ts'
import { CallGuard } from './call-guard.ts'
import { refusesUnasked } from './guards.ts'
import { Tally } from './tally.ts'

/** What is wrong with one of them, whoever's batch it is. */
const ofLine: ReadonlySet<string> = new Set(['file.line', 'batch.request', 'gemini.batch-request'])

/**
 * The rules for the lines of a batch, by the model that each asks. Only what is found here: others are not asked about
 * thousands of lines, nor can they say which of them is wrong.
 */
export class LineGuard {
  readonly #asking: Omit<Asking, 'model'>
  readonly #guards = new Map<string, CallGuard | undefined>()
  readonly #tally = new Tally()
  #isAdmitted = false
  #order: Order | undefined

  constructor(asking: Omit<Asking, 'model'>) {
    this.#asking = asking
  }

  /** Masks what is found in a line, and tells whether there was something; throws where a rule blocks it. */
  mask(model: string, body: JsonObject): boolean {
    if (this.#asking.parts.guards.areIdle) return false
    const guard = this.#guards.has(model) ? this.#guards.get(model) : this.#add(model)
    return guard?.rules.input ? guard.readRequest(textsOfRequest(body)) : false
  }

  /** Refuses a batch that others would have to be asked about, as far as the operator wants that. */
  admit(): void {
    this.#isAdmitted = true
    for (const guard of this.#guards.values()) refuseUnasked(guard)
  }

  /** The same where nothing can be masked or blocked any more, because it has gone by before. */
  refuseUnread(model: string): void {
    if (this.#asking.parts.guards.areIdle) return
    const guard = this.#add(model)
    this.admit()
    const rule = guard?.rules.input?.local.find(({ action }) => action !== 'note')
    if (rule) throw new AppError('guard.lines', { rule: rule.name })
  }

  /** Before there is an order: a refusal by the rules leaves its row. */
  note(error: unknown): void {
    const { parts, incoming, admitted } = this.#asking
    const isLine = error instanceof AppError && ofLine.has(error.code)
    const cause = isLine ? error.cause : error
    if (!(cause instanceof AppError && cause.code.startsWith('guard.'))) return
    const [model = ''] = this.#guards.keys()
    noteRefusal(parts, incoming, admitted, { model, stream: false }, error, this.#tally.seen)
  }

  /** From here on the order's row tells what was found. */
  join(order: Order): void {
    this.#order = order
    for (const guard of this.#guards.values()) order.guard ??= guard
  }

  #add(model: string): CallGuard | undefined {
    const guard = CallGuard.for({ ...this.#asking, model }, this.#tally)
    this.#guards.set(model, guard)
    if (this.#isAdmitted) refuseUnasked(guard)
    if (this.#order) this.#order.guard ??= guard
    return guard
  }
}

function refuseUnasked(guard: CallGuard | undefined): void {
  const { input, output } = guard?.rules ?? {}
  for (const rule of [...(input?.asked ?? []), ...(output?.asked ?? [])])
    if (refusesUnasked(rule)) throw new AppError('guard.lines', { rule: rule.name })
}
