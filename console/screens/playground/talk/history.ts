// Conversations that were put aside, kept in this browser: of each account its own, the newest first, within bounds.

import { forget, readStored, store } from '../../../storage.ts'
import type { Conversation } from './conversation.ts'
import { packTurns, readTurns } from './stored-conversation.ts'

const MOST_KEPT = 50
/** Characters. The conversation that is open has a million of its own. */
const MOST_STORED = 2_000_000
const LONGEST_TITLE = 120

export interface Past {
  readonly id: string
  /** Seconds since 1970. */
  readonly at: number
  readonly turns: Conversation
}

const keyOf = (userId: number) => `playground-history-${userId}`

export function readHistory(userId: number): Past[] {
  try {
    const list: unknown = JSON.parse(readStored(keyOf(userId)) ?? '[]')
    return Array.isArray(list) ? list.flatMap(one => readPast(one) ?? []) : []
  } catch {
    return []
  }
}

export function storeHistory(userId: number, list: readonly Past[]): void {
  if (list.length === 0) forget(keyOf(userId))
  else store(keyOf(userId), packHistory(list))
}

/** The newest that fit. */
export function packHistory(list: readonly Past[], most = MOST_STORED): string {
  let size = 0
  const kept: string[] = []
  for (const { id, at, turns } of list.slice(0, MOST_KEPT)) {
    const packed = `{"id":${JSON.stringify(id)},"at":${at},"turns":${packTurns(turns)}}`
    size += packed.length + 1
    if (size > most) break
    kept.push(packed)
  }
  return `[${kept.join(',')}]`
}

/** What it was about: its first words. */
export function titleOf([first]: Conversation): string {
  const words =
    first?.text.trim().split('\n')[0] ||
    [first?.files, first?.pdfs, first?.pictures].find(many => many?.length)?.[0]?.name
  return (words ?? '').slice(0, LONGEST_TITLE)
}

function readPast(value: unknown): Past | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, at, turns } = value as Record<string, unknown>
  const read = readTurns(turns)
  if (typeof id !== 'string' || typeof at !== 'number' || read.length === 0) return undefined
  return { id, at, turns: read }
}
