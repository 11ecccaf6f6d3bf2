// What was being typed when a login ended: whoever logs in again in this tab finds it where it was. In memory
// alone, for it may hold keys and passwords.

import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { readUser } from './session.ts'

interface Typed {
  readonly userId: number | undefined
  readonly value: unknown
}

/** By the address and the name of what is typed in there. */
const open = new Map<string, () => Typed>()
const kept = new Map<string, Typed>()

/** For whatever ends a login that nobody meant to end, before the page is left. */
export function keepWhatIsTyped(): void {
  for (const [key, read] of open) kept.set(key, read())
}

/** Like `useState`; without a name nothing is kept. */
export function useKeptState<T>(name: string | undefined, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const [key] = useState(() => `${location.pathname} ${name}`)
  const [userId] = useState(() => readUser()?.id)
  const [value, setValue] = useState<T>(() => {
    const typed = name === undefined ? undefined : kept.get(key)
    return typed && typed.userId === userId ? (typed.value as T) : initial
  })
  const latest = useRef(value)
  latest.current = value
  useEffect(() => {
    if (name === undefined) return
    kept.delete(key)
    open.set(key, () => ({ userId, value: latest.current }))
    return () => {
      open.delete(key)
    }
  }, [name, key, userId])
  return [value, setValue]
}
