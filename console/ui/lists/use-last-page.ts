import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

interface ShownPage {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** How many rows it has; undefined until they are there. */
  readonly count: number | undefined
}

/** A page past the end of its list, or whose rows are all gone, gives way to the last one that has any. */
export function useLastPage({ page, pageSize, total, count }: ShownPage): void {
  const navigate = useNavigate()
  const last = Math.min(page - 1, Math.ceil(total / pageSize))
  const isPast = count === 0 && last > 0
  useEffect(() => {
    if (!isPast) return
    navigate({
      to: '.',
      search: before => ({ ...before, p: last > 1 ? last : undefined }),
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    }).catch(() => {})
  }, [isPast, last, navigate])
}
