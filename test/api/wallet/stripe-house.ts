import { expect } from 'bun:test'
import { type Client, rootClient } from '../../client.ts'
import { until } from '../../program.ts'
import type { Rig } from '../../relay/rig.ts'
import { openApi, TokenClient } from '../rig-client.ts'
import { deliver, type FakeSession, type Stripe, startStripe } from './stripe-stand-in.ts'

interface Ordered {
  readonly session: FakeSession
  readonly tradeNo: string
  readonly buyer: TokenClient
}

/** The program beside a Stripe of its own, which it does not know of yet. */
export class StripeHouse {
  readonly rig: Rig
  readonly root: Client
  readonly user: TokenClient
  readonly stripe: Stripe

  private constructor(rig: Rig, root: Client, user: TokenClient, stripe: Stripe) {
    this.rig = rig
    this.root = root
    this.user = user
    this.stripe = stripe
  }

  static async open(databaseUrl: string): Promise<StripeHouse> {
    const stripe = await startStripe()
    const rig = await openApi(databaseUrl)
    const user = await TokenClient.of(rig, await rig.addUser({ quota: 0 }))
    return new StripeHouse(rig, await rootClient(rig.url), user, stripe)
  }

  async save(values: Record<string, string>): Promise<void> {
    for (const [key, value] of Object.entries(values))
      expect((await this.root.saveOption(key, value)).json).toMatchObject({ success: true })
  }

  async pay(amount: unknown, client = this.user, more: object = {}) {
    return (await client.post('/api/user/stripe/pay', { amount, payment_method: 'stripe', ...more })).json
  }

  /** An order of 5 dollars, for 6.00, by someone of their own who has 7, and the page it is paid on. */
  async order(): Promise<Ordered> {
    const buyer = await TokenClient.of(this.rig, await this.rig.addUser({ quota: 7 }))
    expect(await this.pay(5, buyer)).toMatchObject({ message: 'success' })
    const session = this.stripe.sessions.at(-1)
    if (!session) throw new Error('there is no session')
    return { session, tradeNo: session.fields.client_reference_id ?? '', buyer }
  }

  orderOf(tradeNo: string) {
    const orders = this.rig.store.db.selectFrom('top_ups').selectAll()
    return orders.where('trade_no', '=', tradeNo).executeTakeFirstOrThrow()
  }

  lastOrder() {
    const orders = this.rig.store.db.selectFrom('top_ups').selectAll()
    return orders.orderBy('id', 'desc').executeTakeFirstOrThrow()
  }

  send(payload: string, header?: string | null): Promise<string> {
    return deliver(this.rig.url, payload, header)
  }

  wasLogged(tradeNo: string, words: string): Promise<string> {
    const lines = () => this.rig.program.output().split('\n')
    return until(() => lines().find(line => line.includes(tradeNo) && line.includes(words)))
  }

  async close(): Promise<void> {
    await this.rig.close()
    await this.stripe.stop()
  }
}
