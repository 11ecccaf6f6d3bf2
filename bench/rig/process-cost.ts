// What processes cost, as the kernel counts it.

import { readdirSync, readFileSync } from 'node:fs'

interface Stat {
  readonly parent: number
  /** User and system time of all threads, in clock ticks. */
  readonly ticks: number
  /** Tells a process from a later one with the same id. */
  readonly startedAt: number
}

export interface ProcessMemory {
  readonly rss: number
  /** Memory shared by several processes counts for each of them in part. */
  readonly pss: number
}

const ticksPerSecond = Number(Bun.spawnSync(['getconf', 'CLK_TCK']).stdout.toString()) || 100

export function readStat(pid: number): Stat | undefined {
  const text = readProcessFile(pid, 'stat')
  if (!text) return undefined
  // The name, in brackets, may contain anything; the fields after it are numbered from 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return { parent: field(4), ticks: field(14) + field(15), startedAt: field(22) }
}

/** The process and all that descend from it, parents first. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined
    if (stat) children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)])
  }
  const tree = [pid]
  for (const parent of tree) tree.push(...(children.get(parent) ?? []))
  return tree
}

/** CPU time the whole tree has used so far. */
export function cpuMicroseconds(pid: number): number {
  const ticks = processTree(pid).reduce((sum, each) => sum + (readStat(each)?.ticks ?? 0), 0)
  return (ticks / ticksPerSecond) * 1e6
}

export function readMemory(pid: number): ProcessMemory {
  const text = readProcessFile(pid, 'smaps_rollup') ?? ''
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024
  return { rss: bytes('Rss'), pss: bytes('Pss') }
}

export function commandLine(pid: number): string[] {
  return (readProcessFile(pid, 'cmdline') ?? '').split('\0').filter(Boolean)
}

/** Undefined once the process is gone. */
function readProcessFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
