import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

/** Goes on by itself: for what is told as of now, and would be wrong in an hour. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, readMinute)
}

function readMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS)
}

function subscribe(notify: () => void): () => void {
  const timer = setInterval(notify, MINUTE_MS)
  // Out of sight timers rest.
  document.addEventListener('visibilitychange', notify)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', notify)
  }
}
