// A delete is carried out a few seconds after it was asked for, so that it can be taken back. Until then the
// row is only hidden; leaving the page or the account carries it out at once.

import { useSyncExternalStore } from 'react'
import { messageOf } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { beforeLeaving } from '../../session.ts'
import { translate } from '../../text.ts'
import { toast } from './toast.ts'

const DELAY = 6000

interface Deletion {
  /** Such as 'token'; ids are unique within it. */
  readonly kind: string
  readonly ids: readonly number[]
  /** What the toast says. */
  readonly message: string
  /** Carries it out; also when the page goes away, so it has to be a single call. */
  commit(): Promise<unknown>
  /** After it was carried out: read the list again. */
  done(): unknown
}

let hidden: ReadonlyMap<string, ReadonlySet<number>> = new Map()
const nothing: ReadonlySet<number> = new Set()
const waiting = new Map<Deletion, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

export function deleteLater(deletion: Deletion): void {
  const { kind, ids, message } = deletion
  setHidden(kind, before => new Set([...before, ...ids]))
  waiting.set(
    deletion,
    setTimeout(() => carryOut(deletion).catch(() => {}), DELAY),
  )
  toast.success(message, {
    label: translate(shellText)('undo.action'),
    milliseconds: DELAY - 200,
    act: () => takeBack(deletion),
  })
}

/** The rows of a kind that are about to be deleted, and not to be shown. */
export function useDeleted(kind: string): ReadonlySet<number> {
  return useSyncExternalStore(subscribe, () => hidden.get(kind) ?? nothing)
}

/** Carries out what is waiting; what fails has been told by its toast. */
async function flushDeletions(): Promise<void> {
  await Promise.all([...waiting.keys()].map(carryOut))
}

async function carryOut(deletion: Deletion): Promise<void> {
  const timer = waiting.get(deletion)
  if (timer === undefined) return
  clearTimeout(timer)
  waiting.delete(deletion)
  try {
    await deletion.commit()
    await deletion.done()
  } catch (error) {
    toast.error(messageOf(error))
  } finally {
    show(deletion)
  }
}

function takeBack(deletion: Deletion): void {
  const timer = waiting.get(deletion)
  if (timer === undefined) return
  clearTimeout(timer)
  waiting.delete(deletion)
  show(deletion)
}

function show({ kind, ids }: Deletion): void {
  setHidden(kind, before => new Set([...before].filter(id => !ids.includes(id))))
}

function setHidden(kind: string, change: (before: ReadonlySet<number>) => ReadonlySet<number>): void {
  hidden = new Map(hidden).set(kind, change(hidden.get(kind) ?? nothing))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

beforeLeaving(flushDeletions)
if (typeof addEventListener === 'function')
  addEventListener('pagehide', () => flushDeletions().catch(() => {}))
