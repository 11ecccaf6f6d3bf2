/** Who asks. The last three for a team with a great part of the log: its owner, and two of its members. */
export type Who = 'admin' | 'user' | 'collector' | 'owner' | 'member' | 'newcomer'

/** What is not made of numbers that are known beforehand. */
export interface Known {
  /** Of calls whose words are kept. */
  readonly requestIds: readonly string[]
}

/** One call of the console, asked for a number of times, each time for something else. */
export interface Call {
  readonly name: string
  readonly mostMs: number
  readonly as: Who
  path(at: number, now: number, known: Known): string
  /** Of a search that is posted. */
  body?(at: number): object
}

const PAGE_MS = 50
const SUM_MS = 100
export const HOUR = 3600
export const DAY = 24 * HOUR
export const SIZE = 20

type Path = Call['path']

export function page(name: string, path: Path, as: Who = 'admin'): Call {
  return { name, mostMs: PAGE_MS, as, path }
}

export function sum(name: string, path: Path, as: Who = 'admin'): Call {
  return { name, mostMs: SUM_MS, as, path }
}

/** A search whose words stand in no address. */
export function search(name: string, path: string, body: (at: number) => object, as: Who = 'admin'): Call {
  return { ...page(name, () => path, as), body: at => ({ page_size: SIZE, ...body(at) }) }
}
