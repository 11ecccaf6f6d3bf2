import type { Random, Scheduler } from './scheduler.ts'
import { type DatabaseFaults, noFaults, type SimDatabase } from './sim-database.ts'
import type { SimNode } from './sim-node.ts'

/** How often single messages go wrong in this run. */
export function seededFaults(random: Random): DatabaseFaults {
  if (random.chance(0.25)) return noFaults
  const much = random.pick([1, 1, 4])
  return {
    refuse: 0.01 * much,
    loseReply: 0.015 * much,
    late: 0.01 * much,
    slow: 0.02 * much,
  }
}

/** Plans what will break and when; the function it returns mends everything. */
export function scheduleFaults(
  scheduler: Scheduler,
  database: SimDatabase,
  nodes: readonly SimNode[],
  until: number,
): () => void {
  const { random } = scheduler
  const [first, ...rest] = nodes
  if (!first) return () => {}
  const node = (): SimNode => random.pick([first, ...rest])
  let isHealed = false
  const during = (ms: number, mend: () => void): void =>
    scheduler.after(ms, () => (isHealed ? undefined : mend()))
  const faults = [
    () => crash(node()),
    () => crash(node()),
    () => freeze(node()),
    () => stopDatabase(),
    () => cutOff(node()),
    () => makeReadOnly(),
    () => fillDisk(node()),
    () => fillOnlyDisk(node()),
  ] as const

  /** Now, or instead of going on after one of its next awaits. */
  function crash(one: SimNode): void {
    const burn = (): void => {
      one.crash()
      // Some come back at once, some after they have been taken for dead, some only when all is well again.
      during(random.pick([random.between(10, 300), random.between(10, 4000), until]), () => restart(one))
    }
    if (random.chance(0.3)) burn()
    else one.process.fuse = { left: random.between(1, 40), burn }
  }
  function freeze(one: SimNode): void {
    const { process } = one
    scheduler.note(process.name, () => 'freezes')
    process.frozen = true
    one.troubles++
    during(random.pick([random.between(10, 500), random.between(1500, 5000)]), () => {
      scheduler.note(process.name, () => 'wakes')
      process.wake()
      one.troubles++
    })
  }
  function stopDatabase(): void {
    scheduler.note('database', () => 'stops')
    database.stop()
    during(random.between(20, 3500), () => {
      scheduler.note('database', () => 'is back')
      database.down = false
    })
  }
  function cutOff(one: SimNode): void {
    const { process } = one
    one.troubles++
    scheduler.note(process.name, () => 'is cut off from the database')
    database.cutOff.add(process)
    during(random.between(50, 4500), () => {
      database.cutOff.delete(process)
      one.troubles++
    })
  }
  function makeReadOnly(): void {
    scheduler.note('database', () => 'takes no writes')
    database.readOnly = true
    during(random.between(50, 3500), () => {
      database.readOnly = false
    })
  }
  function fillDisk({ disk, process }: SimNode): void {
    scheduler.note(process.name, () => 'disk is full')
    disk.full = true
    during(random.between(50, 2500), () => {
      disk.full = false
    })
  }
  /** Database and journal on one disk, as most start out. */
  function fillOnlyDisk({ disk }: SimNode): void {
    scheduler.note('database', () => 'and journal have no room')
    database.readOnly = disk.full = true
    during(random.between(50, 3500), () => {
      database.readOnly = disk.full = false
    })
  }

  const count = random.between(0, 6)
  for (let at = 0; at < count; at++) {
    const fault = random.pick(faults)
    scheduler.after(random.between(0, until), () => (isHealed ? undefined : fault()))
  }
  return () => {
    isHealed = true
    database.down = database.readOnly = false
    database.cutOff.clear()
    for (const one of nodes) {
      one.disk.full = false
      one.process.fuse = undefined
      one.process.wake()
      restart(one)
    }
  }
}

function restart(node: SimNode): void {
  if (!node.process.alive) node.start()
}
