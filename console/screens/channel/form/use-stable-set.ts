import { useCallback, useRef } from 'react'
import type { Draft } from '../../../ui/layers/use-draft.ts'

/** Sets one field, and is the same function for as long as the form stands. */
export function useStableSet<T extends object, K extends keyof T>(set: Draft<T>['set'], field: K) {
  const latest = useRef(set)
  latest.current = set
  return useCallback((value: T[K]) => latest.current(field, value), [field])
}
