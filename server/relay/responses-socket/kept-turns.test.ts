import { expect, test } from 'bun:test'
import { collectMetrics } from '../../metrics.ts'
import { KeptTurns } from './kept-turns.ts'

const MEGABYTE = 1024 * 1024
const turn = (letters: number) => ({ base: undefined, items: 'x'.repeat(letters), isOurs: true })

function keptLetters(): number | undefined {
  const family = collectMetrics().find(({ name }) => name === 'tollgate_relay_kept_turns_letters')
  return family?.samples[0]?.value
}

test('a turn is found until it is dropped', () => {
  const kept = new KeptTurns()
  kept.keep('one', turn(10))
  kept.keep('one', turn(20))
  kept.keep('two', turn(30))
  expect(kept.find('one')?.items.length).toBe(20)
  expect(keptLetters()).toBe(50)
  kept.drop('one')
  expect([kept.has('one'), kept.has('two'), kept.find('one')]).toEqual([false, true, undefined])
  kept.close()
  expect(keptLetters()).toBe(0)
})

test('of one socket the newest are kept, within bounds', () => {
  const kept = new KeptTurns()
  for (let at = 0; at < 40; at++) kept.keep(`small ${at}`, turn(1))
  expect([kept.has('small 7'), kept.has('small 8'), kept.has('small 39')]).toEqual([false, true, true])
  kept.keep('large', turn(16 * MEGABYTE))
  expect([kept.has('small 39'), kept.has('large')]).toEqual([false, true])
  kept.keep('too large', turn(16 * MEGABYTE + 1))
  expect([kept.has('too large'), kept.has('large')]).toEqual([false, true])
  kept.close()
})

test('of all sockets those that were used last are kept', () => {
  const sockets = Array.from({ length: 17 }, () => new KeptTurns())
  const [first, second] = sockets
  for (const [at, kept] of sockets.entries()) {
    if (at === 16) first?.find('it')
    kept.keep('it', turn(16 * MEGABYTE))
  }
  expect([first?.has('it'), second?.has('it'), sockets.at(-1)?.has('it')]).toEqual([true, false, true])
  expect(keptLetters()).toBe(256 * MEGABYTE)
  for (const kept of sockets) kept.close()
  expect(keptLetters()).toBe(0)
})

test('what ends after its socket is closed is not kept', () => {
  const kept = new KeptTurns()
  kept.close()
  kept.keep('late', turn(1))
  expect(kept.has('late')).toBe(false)
})
