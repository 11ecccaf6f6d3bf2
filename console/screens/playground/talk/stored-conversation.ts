// The conversation survives a reload: without its pictures and PDFs, which are too large, and within bounds.

import { forget, readStored, store } from '../../../storage.ts'
import {
  type Answer,
  type AnswerState,
  type Conversation,
  isRunning,
  MOST_COLUMNS,
  type Picture,
  type TextFile,
  type Turn,
  type Versions,
} from './conversation.ts'

const key = 'playground-conversation'
/** Characters. Browsers give a site about five million. */
const MOST_STORED = 1_000_000

export function storeConversation(userId: number, turns: Conversation): void {
  if (turns.length === 0) forget(key)
  else store(key, packConversation(userId, turns))
}

export function readConversation(userId: number): Turn[] {
  return unpackConversation(userId, readStored(key))
}

/** The newest turns that fit. */
export function packConversation(userId: number, turns: Conversation, most = MOST_STORED): string {
  return `{"userId":${userId},"turns":${packTurns(turns, most)}}`
}

/** As JSON. */
export function packTurns(turns: Conversation, most = MOST_STORED): string {
  const named = (many: readonly Picture[]) => many.map(({ name }) => ({ name, url: '' }))
  const packed = turns.map(turn =>
    JSON.stringify({
      ...turn,
      pictures: named(turn.pictures),
      ...(turn.pdfs ? { pdfs: named(turn.pdfs) } : {}),
    }),
  )
  let size = 0
  const kept: string[] = []
  for (const one of packed.toReversed()) {
    size += one.length + 1
    if (size > most) break
    kept.unshift(one)
  }
  return `[${kept.join(',')}]`
}

/** What somebody else said in this browser is not shown. */
export function unpackConversation(userId: number, text: string | null): Turn[] {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? 'null')
  } catch {
    return []
  }
  return isRecord(stored) && stored.userId === userId ? readTurns(stored.turns) : []
}

/** Whatever was stored, as far as it can be understood. */
export function readTurns(value: unknown): Turn[] {
  return Array.isArray(value) ? value.flatMap(turn => readTurn(turn) ?? []) : []
}

function readTurn(value: unknown): Turn | undefined {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.text !== 'string') return undefined
  const pdfs = readNames(value.pdfs)
  const files = readFiles(value.files)
  const answers = readColumns(value.answers, readAnswer)
  const versions = readColumns(value.versions, readVersions)
  return {
    id: value.id,
    text: value.text,
    pictures: readNames(value.pictures),
    ...(pdfs.length > 0 ? { pdfs } : {}),
    ...(files.length > 0 ? { files } : {}),
    answers,
    ...(Object.keys(versions).length > 0 ? { versions } : {}),
  }
}

function readNames(value: unknown): Picture[] {
  return (Array.isArray(value) ? value : []).flatMap(one =>
    isRecord(one) && typeof one.name === 'string' ? [{ name: one.name, url: '' }] : [],
  )
}

function readFiles(value: unknown): TextFile[] {
  return (Array.isArray(value) ? value : []).flatMap(one =>
    isRecord(one) && typeof one.name === 'string' && typeof one.text === 'string'
      ? [{ name: one.name, text: one.text }]
      : [],
  )
}

function readColumns<T>(value: unknown, read: (one: unknown) => T | undefined): Record<number, T> {
  const found = Object.entries(isRecord(value) ? value : {}).flatMap(([column, one]) => {
    const known = read(one)
    return known && Number(column) >= 0 && Number(column) < MOST_COLUMNS ? [[Number(column), known]] : []
  })
  return Object.fromEntries(found)
}

function readVersions(value: unknown): Versions | undefined {
  if (!isRecord(value)) return undefined
  const list = (many: unknown) => (Array.isArray(many) ? many.flatMap(one => readAnswer(one) ?? []) : [])
  const [before, after] = [list(value.before), list(value.after)]
  return before.length + after.length > 0 ? { before, after } : undefined
}

const states: readonly AnswerState[] = ['loading', 'incomplete', 'complete', 'error']

/** An answer that was still coming when the page went is as if it had been stopped. */
function readAnswer(value: unknown): Answer | undefined {
  if (!isRecord(value)) return undefined
  const { id, model, group, text, reasoning } = value
  const state = states.find(one => one === value.state)
  const words = [id, model, group, text, reasoning].every(one => typeof one === 'string')
  if (!words || !state) return undefined
  const answer = value as object as Answer
  return isRunning(answer) ? { ...answer, state: 'complete', stopped: true } : answer
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
