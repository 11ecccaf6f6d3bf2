import { expect, test } from 'bun:test'
import { decideMoves } from './decide-moves.ts'
import type { State } from './decided.ts'
import type { LogRow, Move, Pay, Settle } from './moves.ts'

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
    const decided = decideMoves(stateWith(20), moves, 0)
    const amounts = decided.outcomes.map(outcome => outcome.ok && outcome.amount)
    expect(amounts).toEqual(moves.map(({ charge }) => charge))
    expect(decided.users.get(1)).toEqual({ balance: 80 - 48, used: 58, requests: 2 })
  }
})

test('what is charged after a reaper charged a part is of no known cost: the whole was more', () => {
  const log = { ...({} as LogRow), channel_id: 0, cost: 7 }
  const late: Settle = { ...of('held'), kind: 'settle', charge: 50, kept: true, log }
  const costs = (moves: readonly Move[]) =>
    decideMoves(stateWith(20), moves, 0).logs.map(({ row }) => row.cost)
  expect(costs([late])).toEqual([7])
  const reaped: Move[] = [
    { ...of('held'), kind: 'checkpoint', charge: 30 },
    { ...of('held'), kind: 'reap', log: { ...log, cost: undefined } },
  ]
  expect(costs([...reaped, late])).toEqual([undefined, undefined])
})

test('beyond that it takes what there is', () => {
  const decided = decideMoves(stateWith(20), [kept], 0)
  expect(decided.outcomes).toEqual([{ ok: true, amount: 20 }])
  expect(decided.users.get(1)).toEqual({ balance: -20, used: 20, requests: 1 })
})

/** Another hold beside the one that is open. */
function stateBeside(state: string, charge: number): State {
  const other = { userId: 1, tokenId: 0, tokenAmount: 0, held: 50, checkpoint: 0, amount: 0, charge, state }
  const { holds, ...rest } = stateWith(100)
  return { ...rest, holds: new Map([...holds, ['closed', other]]) }
}

test('what closed a hold is told again; anything else comes too late, and moves nothing', () => {
  const again = (state: string, move: Move) => {
    const decided = decideMoves(stateBeside(state, 30), [move], 0)
    expect([decided.users.size, decided.settled, decided.logs]).toEqual([0, [], []])
    return decided.outcomes[0]
  }
  const settling: Settle = { ...of('closed'), kind: 'settle', charge: 30 }
  const releasing: Move = { ...of('closed'), kind: 'release' }
  const closed = { ok: false, reason: 'closed' } as const
  expect(again('settled', settling)).toEqual({ ok: true, amount: 30 })
  expect(again('settled', releasing)).toEqual(closed)
  expect(again('released', releasing)).toEqual({ ok: true, amount: 0 })
  expect(again('released', settling)).toEqual(closed)
})

test('what is charged on top raises the entry that is there; one of the same batch is written whole', () => {
  const late = (id: string): Settle => ({ ...of(id), kind: 'settle', charge: 50, kept: true })
  const before = decideMoves(stateBeside('settled', 30), [settle, late('closed')], 0)
  expect([...before.raised]).toEqual([['closed', { charge: 20, tokenCharge: 0 }]])
  const within = decideMoves(stateWith(100), [settle, late('held')], 0)
  expect([...within.raised]).toEqual([])
  expect(within.settled.map(({ id, hold }) => [id, hold.charge])).toEqual([['held', 50]])
})

test('a kept charge from about when the books were closed is not made again; a later one is', () => {
  const closedBefore = 1_000_000
  const day = 86_400
  const paid = (began: number) =>
    decideMoves({ ...stateWith(100), closedBefore }, [{ ...kept, began }], 2_000_000).outcomes[0]
  expect(paid(closedBefore - 1)).toEqual({ ok: false, reason: 'closed' })
  // A clock that was put right in between may have the call begin after the month that it is folded in.
  expect(paid(closedBefore + day - 1)).toEqual({ ok: false, reason: 'closed' })
  expect(paid(closedBefore + day)).toEqual({ ok: true, amount: 48 })
})

test('what a reaper gave back to a budget is taken from it again, once, by the charge that was told of', () => {
  const token = { remain: 60, unlimited: false, status: 1, expiresAt: -1, usedAt: 9, createdAt: 1 }
  const given = { userId: 1, tokenId: 2, amount: 40, tokenAmount: 40, held: 40, checkpoint: 0, charge: 0 }
  const state: State = {
    users: new Map([[1, { quota: 100 }]]),
    tokens: new Map([[2, token]]),
    holds: new Map([['given', { ...given, state: 'released' }]]),
  }
  const told: Settle = {
    id: 'given',
    userId: 1,
    tokenId: 2,
    log: undefined,
    kind: 'settle',
    charge: 25,
    kept: true,
  }
  const decided = decideMoves(state, [told], 9)
  expect(decided.settled.map(({ hold }) => [hold.charge, hold.tokenAmount])).toEqual([[25, 25]])
  expect(decided.tokens.get(2)).toMatchObject({ balance: -25, used: 25 })
})

test('what a call of a window that is over gives back makes no room in the one that runs', () => {
  const state = stateWith(1000)
  const held = state.holds.get('held')
  if (held) held.counted = [{ limitId: 7, window: 50, before: 0 }]
  const limits = new Map([
    [7, { subject: 'account', period: 'day', amount: 100, spent: 80, endsAt: 200 } as const],
  ])
  const next: Move = { ...of('next'), kind: 'hold', most: 60, least: 1, price: '', limits: [7] }
  const decided = decideMoves({ ...state, limits }, [settle, next], 100)
  expect(decided.outcomes).toEqual([
    { ok: true, amount: 10 },
    { ok: true, amount: 20 },
  ])
})
