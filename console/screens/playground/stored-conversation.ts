// The conversation survives a reload: without its pictures, which are too large, and within bounds.

import { forget, readStored, store } from '../../storage.ts'
import {
  type Answer,
  type AnswerState,
  type Conversation,
  isRunning,
  MOST_COLUMNS,
  type Turn,
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
  const packed = turns.map(turn =>
    JSON.stringify({ ...turn, pictures: turn.pictures.map(({ name }) => ({ name, url: '' })) }),
  )
  let size = 0
  const kept: string[] = []
  for (const one of packed.toReversed()) {
    size += one.length + 1
    if (size > most) break
    kept.unshift(one)
  }
  return `{"userId":${userId},"turns":[${kept.join(',')}]}`
}

/** What somebody else said in this browser is not shown. */
export function unpackConversation(userId: number, text: string | null): Turn[] {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? 'null')
  } catch {
    return []
  }
  if (!isRecord(stored) || stored.userId !== userId || !Array.isArray(stored.turns)) return []
  return stored.turns.flatMap(turn => readTurn(turn) ?? [])
}

function readTurn(value: unknown): Turn | undefined {
  if (!isRecord(value) || typeof value.id !== 'string' || typeof value.text !== 'string') return undefined
  const pictures = Array.isArray(value.pictures) ? value.pictures : []
  const answers = Object.entries(isRecord(value.answers) ? value.answers : {}).flatMap(([column, answer]) => {
    const read = readAnswer(answer)
    return read && Number(column) >= 0 && Number(column) < MOST_COLUMNS ? [[Number(column), read]] : []
  })
  return {
    id: value.id,
    text: value.text,
    pictures: pictures.flatMap(one =>
      isRecord(one) && typeof one.name === 'string' ? [{ name: one.name, url: '' }] : [],
    ),
    answers: Object.fromEntries(answers),
  }
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
