import { type CpuInfo, cpus } from 'node:os'

/** What each core has done until now. Read at once: the runtime's own answer is read only when it is looked into. */
export function lookAtCores(): CpuInfo[] {
  return cpus().map(({ model, speed, times }) => ({ model, speed, times: { ...times } }))
}

/** How many cores had nothing to do between two looks at them: 0.5 is one for half of the time. */
export function idleCores(before: readonly CpuInfo[], after: readonly CpuInfo[]): number {
  const shares = after.map(({ times }, at) => {
    const was = before[at]?.times ?? times
    const passed = sum(times) - sum(was)
    return passed > 0 ? (times.idle - was.idle) / passed : 0
  })
  return shares.reduce((all, share) => all + share, 0)
}

function sum({ user, nice, sys, idle, irq }: CpuInfo['times']): number {
  return user + nice + sys + idle + irq
}
