import { expect, test } from 'bun:test'
import type { CpuInfo } from 'node:os'
import { idleCores, lookAtCores } from './idle-cores.ts'

const core = (busy: number, idle: number) => ({
  model: '',
  speed: 0,
  times: { user: busy, nice: 0, sys: 0, idle, irq: 0 },
})

test('idle is what cores did nothing of since the look before', () => {
  const before = [core(5000, 100), core(0, 9000)]
  expect(idleCores(before, [core(6000, 100), core(1000, 9000)])).toBe(0)
  expect(idleCores(before, [core(5250, 850), core(750, 9250)])).toBe(1)
  expect(idleCores(before, [core(5000, 1100), core(0, 10_000)])).toBe(2)
})

test('no time between two looks is no rest', () => {
  const once = [core(1, 1)]
  expect(idleCores(once, once)).toBe(0)
})

test('a look is of when it was taken, however late it is read', () => {
  const busy = (cores: readonly CpuInfo[]) =>
    cores.reduce((sum, { times }) => sum + times.user + times.sys, 0)
  const first = lookAtCores()
  const soonAfter = busy(lookAtCores())
  while (busy(lookAtCores()) === soonAfter);
  expect(busy(first)).toBeLessThanOrEqual(soonAfter)
})
