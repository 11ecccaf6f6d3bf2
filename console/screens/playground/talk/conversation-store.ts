// The one conversation of this page. It lives outside the screen, so that an answer goes on while its reader
// looks something up on another one.

import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { newId } from '../../../new-id.ts'
import { queryClient } from '../../../query-client.ts'
import { readUser } from '../../../session.ts'
import { askModel } from '../ask/ask-model.ts'
import { estimatePrompt } from '../ask/estimate.ts'
import { findBilled } from '../ask/find-billed.ts'
import { chatBody } from '../ask/request-body.ts'
import type { Settings } from '../ask/settings.ts'
import {
  type Answer,
  addTurn,
  type Conversation,
  changeAnswer,
  findAnswer,
  isGrowth,
  isRunning,
  type Picture,
  removeAnswer,
  removeColumn,
  removeTurn,
  rewriteTurn,
  setAnswer,
  showVersion,
  type TextFile,
} from './conversation.ts'
import { type Past, readHistory, storeHistory } from './history.ts'
import { readConversation, storeConversation } from './stored-conversation.ts'

let owner = 0
let turns: Conversation = []
let past: readonly Past[] = []
const listeners = new Set<() => void>()
interface Question {
  readonly text: string
  readonly pictures: readonly Picture[]
  readonly pdfs: readonly Picture[]
  readonly files: readonly TextFile[]
}

/** Those who show an answer while it comes, by its id. */
const watchers = new Map<string, Set<(answer: Answer) => void>>()
const running = new Map<string, AbortController>()

function change(next: Conversation): void {
  turns = next
  for (const listener of listeners) listener()
}

/** A few more words are for those who show them, and for nobody else. */
function tell(id: string, part: Partial<Answer>): void {
  const before = findAnswer(turns, id)
  const next = changeAnswer(turns, id, part)
  const after = findAnswer(next, id)
  if (!before || !after || !isGrowth(before, after)) return change(next)
  turns = next
  for (const watch of watchers.get(id) ?? []) watch(after)
}

function keep(): void {
  if (owner > 0) storeConversation(owner, turns)
}

/** Whoever is logged in begins with what they said here before; nobody goes on where somebody else was. */
export function openConversation(userId: number): void {
  if (owner === userId) return
  stop()
  owner = userId
  past = readHistory(userId)
  change(readConversation(userId))
}

/** Those that were put aside, the newest first. */
export function usePast(): readonly Past[] {
  return useSyncExternalStore(subscribe, () => past)
}

/** Other pages may have put some aside too. */
function changePast(edit: (list: readonly Past[]) => readonly Past[]): void {
  past = edit(readHistory(owner))
  storeHistory(owner, past)
}

function putAside(): void {
  if (turns.length === 0) return
  const one = { id: newId(), at: Math.floor(Date.now() / 1000), turns }
  changePast(list => [one, ...list])
}

export function beginAnew(): void {
  stop()
  putAside()
  change([])
  keep()
}

/** Goes on with one of them; the one that was open takes its place among them. */
export function goOnWith({ id }: Past): void {
  const found = readHistory(owner).find(one => one.id === id)
  if (!found) return
  stop()
  putAside()
  changePast(list => list.filter(one => one.id !== id))
  change(found.turns)
  keep()
}

export function forgetPast({ id }: Past): void {
  changePast(list => list.filter(one => one.id !== id))
  change(turns)
}

// A page may go away in the middle of an answer. One where nothing goes on leaves what other pages have kept.
if (typeof window !== 'undefined')
  addEventListener('pagehide', () => {
    if (running.size > 0) keep()
  })

export function readTurns(): Conversation {
  return turns
}

export function useConversation(): Conversation {
  return useSyncExternalStore(subscribe, readTurns)
}

/** One figure of it: whoever needs no more is not drawn again with every word. */
export function useFigure<T extends number | boolean>(read: (turns: Conversation) => T): T {
  return useSyncExternalStore(subscribe, () => read(turns))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `show` is called with the answer whenever it has changed, also between two drawings of the page. */
export function useGrowth(answer: Answer, show: (latest: Answer) => void): void {
  const { id } = answer
  const onGrowth = useEffectEvent(show)
  useLayoutEffect(() => onGrowth(findAnswer(turns, id) ?? answer))
  useLayoutEffect(() => {
    const watch = (latest: Answer) => onGrowth(latest)
    const others = watchers.get(id) ?? new Set()
    watchers.set(id, others.add(watch))
    return () => {
      others.delete(watch)
      if (others.size === 0) watchers.delete(id)
    }
  }, [id])
}

export function send({ text, pictures, pdfs, files }: Question, settings: Settings): void {
  const id = newId()
  const more = { ...(pdfs.length > 0 ? { pdfs } : {}), ...(files.length > 0 ? { files } : {}) }
  change(addTurn(turns, { id, text, pictures, ...more, answers: {} }))
  answerAll(id, settings)
}

/** Another question in its place, answered anew. What was said after the old one is put aside. */
export function resend(turnId: string, text: string, settings: Settings): void {
  stop()
  if (turns.at(-1)?.id !== turnId) putAside()
  change(rewriteTurn(turns, turnId, text))
  answerAll(turnId, settings)
}

function answerAll(turnId: string, settings: Settings): void {
  settings.models.forEach((_, column) => {
    generate(turnId, column, settings)
  })
  keep()
}

/** An answer in this column, instead of the one that may be there. */
export function generate(turnId: string, column: number, settings: Settings): void {
  const at = turns.findIndex(turn => turn.id === turnId)
  const model = settings.models[column]
  if (at < 0 || model === undefined) return
  stopAnswer(turns[at]?.answers[column]?.id)
  const id = newId()
  const controller = new AbortController()
  const body = { ...chatBody(turns.slice(0, at + 1), column, model, settings), group: settings.group }
  const promptEstimate = estimatePrompt(body.messages)
  const begun = { id, model, group: settings.group, promptEstimate, state: 'loading' } as const
  running.set(id, controller)
  change(setAnswer(turns, turnId, column, { ...begun, text: '', reasoning: '' }))
  askModel(body, controller.signal, part => tell(id, part))
    .then(requestId => settle(id, requestId))
    .catch(() => {})
}

async function settle(id: string, requestId: string | undefined): Promise<void> {
  running.delete(id)
  keep()
  if (requestId === undefined) return
  const billed = await findBilled(requestId)
  if (billed) change(changeAnswer(turns, id, { billed }))
  keep()
  // The balance in the top bar has changed.
  await queryClient.invalidateQueries({ queryKey: ['self', readUser()?.id] })
}

export function stop(): void {
  for (const controller of running.values()) controller.abort()
}

function stopAnswer(id: string | undefined): void {
  if (id !== undefined) running.get(id)?.abort()
}

/** The version before the one that is shown, or the one after it. */
export function turnTo(turnId: string, column: number, step: -1 | 1): void {
  change(showVersion(turns, turnId, column, step))
  keep()
}

export function editAnswer(id: string, text: string): void {
  change(changeAnswer(turns, id, { text }))
  keep()
}

export function deleteAnswer(turnId: string, column: number): void {
  stopAnswer(turns.find(turn => turn.id === turnId)?.answers[column]?.id)
  change(removeAnswer(turns, turnId, column))
  keep()
}

export function deleteTurn(turnId: string): void {
  const turn = turns.find(({ id }) => id === turnId)
  for (const answer of Object.values(turn?.answers ?? {})) if (isRunning(answer)) stopAnswer(answer.id)
  change(removeTurn(turns, turnId))
  keep()
}

export function deleteColumn(column: number): void {
  for (const turn of turns) stopAnswer(turn.answers[column]?.id)
  change(removeColumn(turns, column))
  keep()
}

export function clearConversation(): void {
  stop()
  change([])
  keep()
}
