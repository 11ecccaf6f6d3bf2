import { expect, test } from 'bun:test'
import { type Condition, conditionOf, Watchdog } from './watchdog.ts'

const idle: Condition = { isTraced: false, isOnDisk: false, ranMs: 0, waitedMs: 0 }

/** A watched worker that never answers, and what becomes of it as time goes by in steps of so many seconds. */
function silentWorker(look: () => Condition | undefined = () => idle) {
  let at = 0
  let hung = 0
  const dog = new Watchdog(() => at, look)
  dog.watch(
    0,
    1,
    () => {},
    () => hung++,
  )
  return {
    dog,
    hung: () => hung,
    after(steps: number, seconds = 1): number {
      for (let step = 0; step < steps; step++) {
        at += seconds * 1000
        dog.tick()
      }
      return hung
    },
  }
}

test('a worker that answers nothing for a minute hangs, which is told once', () => {
  const { after } = silentWorker()
  expect([after(60), after(1), after(200)]).toEqual([0, 1, 1])
})

test('one that says anything, however late, does not hang', () => {
  const { dog, after } = silentWorker()
  for (let minute = 0; minute < 5; minute++) {
    expect(after(59)).toBe(0)
    dog.heard(0)
  }
  expect(after(61)).toBe(1)
})

test('time in which the supervisor itself did not run counts for nothing', () => {
  const { after } = silentWorker()
  // A machine that slept for a day, then one on which every tick is late.
  expect([after(40), after(1, 86_400), after(500, 3), after(20), after(1)]).toEqual([0, 0, 0, 0, 1])
})

test.each([
  ['a debugger holds', { ...idle, isTraced: true }],
  ['a disk holds up', { ...idle, isOnDisk: true }],
])('one that %s is left alone, and has a minute when it is let go', (_name, held) => {
  let now: Condition = held
  const { after } = silentWorker(() => now)
  expect(after(500)).toBe(0)
  now = idle
  expect(after(120)).toBe(1)
})

test('one that gets no processor is left alone, one that has it and does not answer is not', () => {
  const running = (share: number) => {
    let seconds = 0
    return silentWorker(() => {
      // It is looked at once a minute.
      seconds += 60
      return { ...idle, ranMs: seconds * 1000 * share, waitedMs: seconds * 1000 * (1 - share) }
    })
  }
  expect(running(0.05).after(1000)).toBe(0)
  expect(running(0.3).after(61)).toBe(1)
})

test('where the system tells nothing of a process, a minute of silence is enough', () => {
  expect(silentWorker(() => undefined).after(61)).toBe(1)
  expect(conditionOf(0)).toBeUndefined()
})

test('what the system tells of a process is read', async () => {
  const child = Bun.spawn([process.execPath, '-e', 'for (;;);'])
  while ((conditionOf(child.pid)?.ranMs ?? 0) < 200) await Bun.sleep(20)
  expect(conditionOf(child.pid)?.isTraced).toBe(false)
  child.kill('SIGKILL')
  await child.exited
})
