import { describe, expect, test } from 'bun:test'
import type { PriceSnapshot } from '../../ledger/price/price-snapshot.ts'
import type { Order } from '../order/order.ts'
import { chargePlain, type Ending } from './charge-plain.ts'
import type { PlainCall } from './plain-call.ts'
import { nothingSeen, type Seen } from './seen.ts'

/** Words cost what they cost, and sound is paid with them. */
const price: PriceSnapshot = {
  ...{ kind: 'ratio', model: 'm', group: 'default', groupRatio: 1, modelRatio: 1, completionRatio: 1 },
  ...{ cacheRatio: 1, cacheWriteRatio: 1, cacheWriteHourRatio: 1, imageRatio: 1 },
  ...{ audioRatio: 1, audioCompletionRatio: 1 },
}
/** Counts a letter as a token. */
const counter = {
  countText: async (text: string) => text.length,
  countTexts: async (texts: readonly string[]) => texts.join('').length,
}

function charged(capability: string, fields: object, seen: Partial<Seen>, ending: Ending = 'whole') {
  const order = { price, parts: { counter }, incoming: { requestId: 'r' } } as unknown as Order
  const call = { capability, fields } as unknown as PlainCall
  return chargePlain(order, call, { ...nothingSeen(), ...seen }, ending)
}

describe('speech', () => {
  const input = '十个字的一句话在这里'
  const spoken = async (seen: Partial<Seen>, ending?: Ending) =>
    (await charged('speech', { input }, seen, ending))?.input

  test('is paid by the character, as its vendor counts them', async () => {
    expect(await spoken({ bytes: 9 })).toBe(10)
    expect(await spoken({ bytes: 9, characters: 20 })).toBe(20)
  })

  test('a count that no vendor has is not believed', async () => {
    for (const characters of [0, -5, 41, 1e9]) expect(await spoken({ bytes: 9, characters })).toBe(10)
  })

  test('that breaks off at its vendor is paid as far as it came; who leaves pays for what was asked', async () => {
    expect(await spoken({ bytes: 3001 }, 'upstream')).toBe(4)
    expect(await spoken({ bytes: 900_000 }, 'upstream')).toBe(10)
    expect(await spoken({ bytes: 3001 }, 'client')).toBe(10)
    expect(await charged('speech', { input }, {}, 'upstream')).toBeUndefined()
    expect(await charged('speech', { input }, {}, 'client')).toBeUndefined()
  })
})

describe('pictures', () => {
  const calls = async (n: number, seen: Partial<Seen>, ending?: Ending) =>
    (await charged('images', { n, prompt: 'a cat' }, seen, ending))?.calls

  test('are paid each, no more than were asked for, and one where nobody can tell', async () => {
    expect(await calls(3, { pictures: 2 })).toBe(2)
    expect(await calls(2, { pictures: 5 })).toBe(2)
    expect(await calls(2, {})).toBe(1)
  })

  test('one on its way is paid by who leaves, and is the vendor’s loss where that breaks off', async () => {
    expect(await calls(3, { pictures: 1, partial: 2 }, 'client')).toBe(2)
    expect(await calls(3, { pictures: 1, partial: 2 }, 'upstream')).toBe(1)
    expect(await calls(3, { partial: 2 }, 'upstream')).toBeUndefined()
  })
})
