// What is written and not sent yet waits for its writer, who looks something up on another page; after a reload
// its words are still there, without what was attached to them.

import { useEffect, useRef, useState } from 'react'
import { readUser } from '../../../session.ts'
import { forget, readStoredObject, store } from '../../../storage.ts'
import type { Picture, TextFile } from './conversation.ts'

export interface Attached {
  readonly pictures: readonly Picture[]
  readonly pdfs: readonly Picture[]
  readonly files: readonly TextFile[]
}

interface Unsent {
  readonly text: string
  readonly attached: Attached
}

const key = 'playground-unsent'
export const nothing: Attached = { pictures: [], pdfs: [], files: [] }
let waiting: (Unsent & { readonly userId: number }) | undefined

/** Of one's own: nobody is shown what somebody else was about to say here. */
function recall(userId: number): Unsent {
  if (waiting?.userId === userId) return waiting
  const stored: { userId?: unknown; text?: unknown } | null = readStoredObject(key)
  const text = stored?.userId === userId && typeof stored.text === 'string' ? stored.text : ''
  return { text, attached: nothing }
}

function keep(userId: number, unsent: Unsent): void {
  waiting = { userId, ...unsent }
  if (unsent.text.trim() === '') forget(key)
  else store(key, JSON.stringify({ userId, text: unsent.text }))
}

export function useUnsentMessage() {
  const [userId] = useState(() => readUser()?.id ?? 0)
  const [before] = useState(() => recall(userId))
  const [text, setText] = useState(before.text)
  const [attached, setAttached] = useState(before.attached)
  const latest = useRef<Unsent>(before)
  latest.current = { text, attached }
  useEffect(() => {
    const leave = () => keep(userId, latest.current)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [userId])
  return { text, setText, attached, setAttached }
}
