import { expect, test } from 'bun:test'
import type { Pay, Settle } from './moves.ts'
import { plan, type State } from './plan.ts'

const of = (id: string) => ({ id, userId: 1, tokenId: 0, log: undefined })
const kept: Pay = { ...of('told'), kind: 'pay', charge: 48, price: '', began: 0, kept: true }
const settle: Settle = { ...of('held'), kind: 'settle', charge: 10 }

function stateWith(quota: number): State {
  const hold = { userId: 1, tokenId: 0, tokenAmount: 0, held: 90, checkpoint: 0, charge: 0, state: 'open' }
  return {
    users: new Map([[1, { quota }]]),
    tokens: new Map(),
    holds: new Map([['held', { ...hold, amount: 90 }]]),
  }
}

test('a charge that was told of takes what others of its batch give back, wherever it stands', () => {
  for (const moves of [
    [kept, settle],
    [settle, kept],
  ]) {
    const decided = plan(stateWith(20), moves, 0)
    const amounts = decided.outcomes.map(outcome => outcome.ok && outcome.amount)
    expect(amounts).toEqual(moves.map(({ charge }) => charge))
    expect(decided.users.get(1)).toEqual({ balance: 80 - 48, used: 58, requests: 2 })
  }
})

test('beyond that it takes what there is', () => {
  const decided = plan(stateWith(20), [kept], 0)
  expect(decided.outcomes).toEqual([{ ok: true, amount: 20 }])
  expect(decided.users.get(1)).toEqual({ balance: -20, used: 20, requests: 1 })
})
