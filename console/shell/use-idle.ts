import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

const latest = 3000
const settled = 100

/** True once the first screen and its data are there: then comes what can wait. Once true it stays so. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  const loading = useRouterState({ select: state => state.isLoading })
  const fetching = useIsFetching() > 0
  const busy = loading || fetching
  useEffect(() => {
    if (idle) return
    const timer = setTimeout(() => setIdle(true), busy ? latest : settled)
    return () => clearTimeout(timer)
  }, [busy, idle])
  return idle
}
