import { afterAll, afterEach, expect, test } from 'bun:test'
import { seeded } from '../../../test/faults/random.ts'
import { type Books, quotaOf } from '../../../test/services/books.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import {
  buy,
  call,
  closePlanBooks,
  DAY,
  daily,
  endNow,
  faults,
  openPlanBooks,
  refund,
  renew,
  START,
  setWallet,
  soldOf,
} from '../../../test/services/plan-books.ts'
import { credit } from '../entries.ts'
import { Ledger } from '../ledger.ts'

// Plans against a model that knows nothing of when money moves: what is one's own is never a plan's, and the other way round.

const STEPS = 60

afterEach(closePlanBooks)
afterAll(dropAll)

interface Period {
  quota: number
  spent: number
}

/** A plan that is over, and what calls that were under way then still have of it. */
interface Ended {
  owed: number
  readonly holders: Set<Call>
}

interface Call {
  readonly id: string
  readonly held: number
  state: 'open' | 'settled' | 'over'
  charge: number
  /** What no plan that was over has paid of it, and what it counts in. */
  rest: number
  of: Period | undefined
}

class Model {
  readonly calls: Call[] = []
  readonly ended: Ended[] = []
  readonly #periods: Period[] = []
  own: number
  #spentOutside = 0
  running: Period | undefined
  periodNo = 0

  constructor(own: number) {
    this.own = own
  }

  begin(quota: number, no: number): void {
    this.running = { quota, spent: 0 }
    this.periodNo = no
    this.#periods.push(this.running)
  }

  end(owed: number): void {
    const others = this.ended.filter(plan => plan.owed > 0)
    const isFree = (one: Call): boolean => one.state === 'open' && !others.some(plan => plan.holders.has(one))
    this.ended.push({ owed, holders: new Set(owed > 0 ? this.calls.filter(isFree) : []) })
    this.running = undefined
  }

  settle(one: Call, charge: number): void {
    one.state = 'settled'
    one.charge = one.rest = charge
    for (const plan of this.ended) {
      if (!plan.holders.delete(one)) continue
      const paid = Math.min(one.rest, plan.owed)
      plan.owed -= paid
      one.rest -= paid
    }
    one.of = this.running
    this.#count(one, one.rest)
  }

  refund(one: Call): void {
    one.state = 'over'
    this.#count(one, -one.rest)
  }

  #count({ of }: Call, by: number): void {
    if (of) of.spent += by
    else this.#spentOutside += by
  }

  /** What the wallet has, with all that calls have set aside. */
  get total(): number {
    const beyond = this.#periods.reduce((sum, { spent, quota }) => sum + Math.max(0, spent - quota), 0)
    const left = this.running ? Math.max(0, this.running.quota - this.running.spent) : 0
    const owed = this.ended.reduce((sum, plan) => sum + plan.owed, 0)
    return this.own - this.#spentOutside - beyond + left + owed
  }
}

/** Does what is due, and tells the model when periods have turned and what has been taken back. */
async function bringUpToDate(books: Books, model: Model, now: number): Promise<number> {
  await renew(books, now)
  const sold = await soldOf(books)
  const running = sold.find(({ state }) => state === 'running')
  const over = sold.filter(({ state }) => state === 'ended')
  if (model.running && !running) model.end(over.at(-1)?.owed ?? 0)
  else if (model.running && running && running.period_no !== model.periodNo)
    model.begin(running.quota, running.period_no)
  for (const [at, { owed }] of over.entries()) {
    const plan = model.ended[at]
    expect(owed).toBeLessThanOrEqual(plan?.owed ?? -1)
    if (plan) plan.owed = owed
  }
  return quotaOf(books)
}

test.each(Array.from({ length: 12 }, (_, at) => at + 1))('whatever happens, by the seed %i', async seed => {
  const engine = engines.find(({ name }) => name === 'sqlite')
  if (!engine) throw new Error('no SQLite')
  const books = await openPlanBooks(engine)
  const { store, journal, userId } = books
  const clock = { now: START }
  const ledger = new Ledger({ batch: store.batch, journal, now: () => clock.now, nodeId: () => 'n' })
  const random = seeded(seed)
  const below = (most: number): number => random(0, Math.max(0, most - 1))
  const oneOf = (state: Call['state']): Call | undefined => {
    const found = model.calls.filter(one => one.state === state)
    return found[below(found.length)]
  }
  // Little enough that calls often have set aside all of it.
  await setWallet(books, 60)
  const model = new Model(await quotaOf(books))
  let wallet = model.own
  const done: string[] = []
  const acts: ((step: number) => Promise<unknown>)[] = [
    async step => {
      const amount = below(100)
      await credit(store, clock.now, { kind: 'gift', ref: `gift ${step}`, userId, amount })
      model.own += amount
      return amount
    },
    ...Array.from({ length: 3 }, () => async (step: number) => {
      if (wallet === 0) return undefined
      const id = `call ${step}`
      const held = await ledger.hold(call(books, id), { most: 1 + below(700), least: 1, price: '{}' })
      model.calls.push({ id, held, state: 'open', charge: 0, rest: 0, of: undefined })
      return held
    }),
    ...Array.from({ length: 2 }, () => async () => {
      const one = oneOf('open')
      if (!one) return undefined
      const charge = below(one.held + 1)
      await ledger.settle(call(books, one.id), charge, undefined)
      model.settle(one, charge)
      return `${one.id}: ${charge}`
    }),
    async () => {
      const one = oneOf('open')
      if (!one) return undefined
      await ledger.release(call(books, one.id))
      one.state = 'over'
      return one.id
    },
    async () => {
      const one = oneOf('settled')
      if (!one) return undefined
      expect(await refund(books, one.id, clock.now)).toBe(one.charge)
      model.refund(one)
      return one.id
    },
    async () => {
      clock.now += below(2 * DAY)
      return clock.now
    },
    ...Array.from({ length: 3 }, () => async (step: number) => {
      if (model.running) return below(2) === 0 ? endNow(books, clock.now) : undefined
      const quota = 100 + below(500)
      const period = below(2) === 0 ? ('day' as const) : ('none' as const)
      await buy(books, { ...daily, id: step, quota, period }, clock.now)
      model.begin(quota, 1)
      return quota
    }),
  ]
  for (let step = 1; step <= STEPS; step++) {
    // Clocks tell whole seconds: what is not of the same one is told apart.
    clock.now += 2 + below(5)
    wallet = await bringUpToDate(books, model, clock.now)
    const at = below(acts.length)
    done.push(`${step}: ${at}, ${await acts[at]?.(step)}`)
    wallet = await bringUpToDate(books, model, clock.now)
    const held = model.calls.reduce((sum, one) => sum + (one.state === 'open' ? one.held : 0), 0)
    expect({ done, total: wallet + held }).toEqual({ done, total: model.total })
  }
  expect(await faults(books)).toEqual([])
})
