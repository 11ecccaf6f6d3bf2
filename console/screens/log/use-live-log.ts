import { useEffect, useState, useSyncExternalStore } from 'react'
import { type LogView, logEndpoints } from '../../../contract/logs.ts'
import { teamHeader } from '../../session.ts'
import { type FollowState, followLogs } from './follow-logs.ts'
import { LiveRows, type LiveView } from './live-rows.ts'
import { type LogSearch, matchesSearch } from './log-search.ts'
import { fetchLogs } from './logs-query.ts'

/** Rows are drawn in batches: a busy gateway writes hundreds a second. */
const BATCH_MS = 200
const AT_A_TIME = 100

interface LiveLog extends LiveView {
  readonly state: FollowState
  readonly error: unknown
  readonly isLoaded: boolean
  readonly hasOlder: boolean
  hold(isHeld: boolean): void
  loadOlder(): Promise<void>
  retry(): void
}

/** The log as it is written: what is there already, and every row from then on. */
export function useLiveLog(search: LogSearch, isAdmin: boolean): LiveLog | undefined {
  const { p: _, live, ...filters } = search
  const key = JSON.stringify(filters)
  const [store, setStore] = useState(() => new LiveRows())
  const [state, setState] = useState<FollowState>('connecting')
  const [error, setError] = useState<unknown>()
  const [isLoaded, setLoaded] = useState(false)
  const [hasOlder, setHasOlder] = useState(false)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew
  useEffect(() => {
    if (!live) return
    const wanted: LogSearch = JSON.parse(key)
    const rows = new LiveRows()
    const leaving = new AbortController()
    const batch: LogView[] = []
    setStore(rows)
    setLoaded(false)
    setError(undefined)
    const timer = setInterval(() => {
      if (batch.length > 0) rows.add(batch.splice(0).filter(row => matchesSearch(row, wanted, isAdmin)))
    }, BATCH_MS)
    const begin = async () => {
      const { items } = await fetchLogs(wanted, isAdmin, { p: 1, page_size: AT_A_TIME }, leaving.signal)
      rows.addOlder(items)
      setHasOlder(items.length === AT_A_TIME)
      setLoaded(true)
      let seen = rows.newest()
      await followLogs({
        path: (isAdmin ? logEndpoints.tailLogs : logEndpoints.tailOwnLogs).path,
        headers: teamHeader(),
        after: () => seen,
        onRow: row => {
          seen = Math.max(seen, row.id)
          batch.push(row)
        },
        onState: setState,
        signal: leaving.signal,
      })
    }
    begin().catch(cause => {
      if (!leaving.signal.aborted) setError(cause)
    })
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [live, key, isAdmin, attempt])

  const view = useSyncExternalStore(store.subscribe, store.read)
  if (!live) return undefined
  const loadOlder = async () => {
    const last = view.rows.at(-1)
    if (!last) return
    const { items } = await fetchLogs(filters, isAdmin, { before_id: last.id, page_size: AT_A_TIME })
    store.addOlder(items)
    setHasOlder(items.length === AT_A_TIME)
  }
  const hold = (isHeld: boolean) => store.hold(isHeld)
  const retry = () => setAttempt(count => count + 1)
  return { ...view, state, error, isLoaded, hasOlder, hold, loadOlder, retry }
}
