/** A line under a table: what was wanted, and whether it was seen. */
export function judgeAtMost(what: string, seen: number, most: number, unit: string): string {
  return judge(what, seen, `≤ ${most} ${unit}`, seen <= most)
}

export function judgeAtLeast(what: string, seen: number, least: number, unit: string): string {
  return judge(what, seen, `≥ ${least} ${unit}`, seen >= least)
}

function judge(what: string, seen: number, target: string, isMet: boolean): string {
  return `${what}, target ${target}: ${isMet ? 'met' : 'missed'} with ${seen.toFixed(2)}`
}
