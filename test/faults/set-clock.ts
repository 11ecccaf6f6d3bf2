/** Loaded into the program before its own code: its clock is off by as many milliseconds as a file says. */

import { readFileSync, statSync } from 'node:fs'

const file = process.env.TOLLGATE_TEST_CLOCK ?? ''
const Real = globalThis.Date
let offset = 0
let readAt = 0

function now(): number {
  // The file changes a few times in a test, and the clock is asked all the time.
  const at = performance.now()
  if (at - readAt > 5) {
    readAt = at
    offset = statSync(file, { throwIfNoEntry: false }) ? Number(readFileSync(file, 'utf8')) : 0
  }
  return Real.now() + offset
}

globalThis.Date = new Proxy(Real, {
  construct: (_target, given: unknown[], self) =>
    Reflect.construct(Real, given.length === 0 ? [now()] : given, self),
  apply: () => new Real(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
