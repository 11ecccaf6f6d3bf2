import { afterAll, beforeAll, expect } from 'bun:test'
import { ANY_HTTP } from '../../../contract/pass-through.ts'
import { type AnyApi, startAnyApi } from '../../upstreams/start-any-api.ts'
import { type ChannelSeed, openRig, type Rig } from '../rig.ts'
import { chat, problemIn, requestIdOf } from '../ways.ts'

/** What a call of the service costs. */
export const PRICE = 5000

/** Those of which the first channel refuses every call with the status that its path begins with. */
const spared = ['get', 'put', 'post', 'post-again', 'streamed', 'wrong'].map(name => `spared-${name}`)
const services = ['echo', 'search/web', 'events', 'guarded', ...spared]
/** One for each way to fail: what has failed rests. */
export const failures = [400, 403, 404, 409, 422, 429, 500, 503] as const
const failing = failures.map(status => `fails-${status}`)

/** An error of ours, in the words that it has for clients of OpenAI. */
export async function problemOf(response: Response) {
  return { status: response.status, ...problemIn(chat, await response.text()) }
}

/** The program with some API behind it, a caller who can pay, one who cannot, and one of another group. */
export interface PassHouse {
  readonly rig: Rig
  readonly api: AnyApi
  readonly userId: number
  readonly key: string
  readonly poor: string
  readonly stranger: string
  call(path: string, init?: RequestInit & { key?: string }): Promise<Response>
  charged(response: Response): Promise<number | undefined>
  channel(seed: Partial<ChannelSeed> & { models: readonly string[] }): Promise<number>
}

/** Opened before the tests of a file; behind them the books agree, and the API had nothing to complain of. */
export function passHouse(options: Readonly<Record<string, string>> = {}): PassHouse {
  const house = {} as PassHouse
  beforeAll(async () => {
    const api = startAnyApi()
    const made = { userId: 0, key: '', poor: '', stranger: '' }
    const seedOf = (seed: Partial<ChannelSeed> & { models: readonly string[] }): ChannelSeed => ({
      type: ANY_HTTP,
      baseUrl: api.url,
      key: api.key,
      ...seed,
    })
    const rig = await openRig(async books => {
      made.userId = await books.addUser()
      made.key = (await books.addToken({ userId: made.userId })).key
      made.poor = (await books.addToken({ userId: await books.addUser({ quota: 10 }) })).key
      made.stranger = (await books.addToken({ userId: await books.addUser({ group: 'vip' }) })).key
      const priced = [...services, 'locked', ...failing]
      const prices = Object.fromEntries(priced.map(service => [service, 0.01]))
      await books.setOption('ModelPrice', JSON.stringify({ ...prices, gift: 0 }))
      for (const [name, value] of Object.entries(options)) await books.setOption(name, value)
      await books.addChannel(seedOf({ models: [...services, ...failing, 'gift', 'unpriced', 'gpt-4o'] }))
      const broken = { baseUrl: `${api.url}/refusing`, priority: 10 }
      await books.addChannel(seedOf({ models: spared, ...broken }))
      await books.addChannel(seedOf({ models: ['locked'], key: 'another-key-0123456789' }))
    })
    Object.assign(house, made, {
      rig,
      api,
      call: (path: string, { key = made.key, headers, ...init }: RequestInit & { key?: string } = {}) =>
        fetch(`${rig.url}/pass/${path}`, {
          redirect: 'manual',
          ...init,
          headers: { authorization: `Bearer ${key}`, ...(headers as Record<string, string>) },
        }),
      charged: (response: Response) => rig.chargeOf(requestIdOf(response)),
      channel: (seed: Partial<ChannelSeed> & { models: readonly string[] }) => rig.addChannel(seedOf(seed)),
    })
  })
  afterAll(async () => {
    expect(await house.rig.differences()).toEqual([])
    await house.rig.close()
    expect(house.api.complaints).toEqual([])
    await house.api.stop()
  })
  return house
}
