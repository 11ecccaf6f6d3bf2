import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

const latest = 3000
const settled = 100

/** Acts once the first screen and its data are there: then comes what can wait. */
export function useIdle(act: () => void): void {
  const loading = useRouterState({ select: state => state.isLoading })
  const fetching = useIsFetching() > 0
  const busy = loading || fetching
  const onIdle = useEffectEvent(act)
  useEffect(() => {
    const timer = setTimeout(() => onIdle(), busy ? latest : settled)
    return () => clearTimeout(timer)
  }, [busy])
}
