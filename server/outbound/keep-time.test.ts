import { expect, test } from 'bun:test'
import { startDeadline, untilAborted } from './keep-time.ts'

const never = Number.POSITIVE_INFINITY

test('without clocks the caller’s own signal is used', () => {
  const caller = new AbortController()
  expect(startDeadline(caller.signal, never).signal).toBe(caller.signal)
  expect(startDeadline(undefined, never).signal).toBeUndefined()
})

test('the clock for headers stops when they are there, the whole clock at the end', async () => {
  const deadline = startDeadline(undefined, 5, 10)
  deadline.onHeaders()
  deadline.end()
  await Bun.sleep(30)
  expect(deadline.signal?.aborted).toBe(false)
})

test('either clock and the caller can end it', async () => {
  const caller = new AbortController()
  const clocks = [startDeadline(caller.signal, 5), startDeadline(caller.signal, never, 5)]
  await Bun.sleep(30)
  for (const { signal } of clocks) expect(signal?.reason).toMatchObject({ code: 'outbound.timeout' })
  const joined = startDeadline(caller.signal, 60_000)
  caller.abort('gone')
  expect(joined.signal?.reason).toBe('gone')
  joined.end()
})

test('waiting ends with the work or with the signal', async () => {
  const caller = new AbortController()
  expect(await untilAborted(Promise.resolve(1), caller.signal)).toBe(1)
  expect(await untilAborted(Promise.resolve(2), undefined)).toBe(2)
  const waiting = untilAborted(new Promise(() => {}), caller.signal)
  caller.abort('gone')
  await expect(waiting).rejects.toBe('gone')
  await expect(untilAborted(new Promise(() => {}), caller.signal)).rejects.toBe('gone')
})
