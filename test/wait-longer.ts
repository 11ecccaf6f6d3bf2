/** Loaded into the program before its own code: what it would wait for so long, it waits for as long as it is told. */

const told = JSON.parse(process.env.TOLLGATE_TEST_PATIENCE ?? '{}') as Record<string, number>
const { setTimeout: after, setInterval: every } = globalThis
const longer = (work: () => void, ms = 0, ...given: []) => after(work, told[ms] ?? ms, ...given)
globalThis.setTimeout = Object.assign(longer as typeof setTimeout, after)
const rarer = (work: () => void, ms = 0, ...given: []) => every(work, told[ms] ?? ms, ...given)
globalThis.setInterval = Object.assign(rarer as typeof setInterval, every)
