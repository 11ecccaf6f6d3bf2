import { useCallback, useState } from 'react'

/** The same function for as long as the screen stands, doing what the latest one does. */
export function useStable<A>(act: (argument: A) => unknown): (argument: A) => void {
  const [kept] = useState(() => ({ act }))
  kept.act = act
  return useCallback((argument: A) => void kept.act(argument), [kept])
}
