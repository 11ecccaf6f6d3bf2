import { useEffect, useState } from 'react'

/** Seconds that are left of a wait; 0 while there is none. */
export function useCountdown(seconds: number): { left: number; begin(): void } {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  const left = secondsLeft(until, now, seconds)
  useEffect(() => {
    if (until === 0) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= until) setUntil(0)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return {
    left,
    begin: () => {
      setNow(Date.now())
      setUntil(Date.now() + seconds * 1000)
    },
  }
}

/** A clock that was set back must not lock anyone out. */
export function secondsLeft(until: number, now: number, most: number): number {
  return Math.min(most, Math.max(0, Math.ceil((until - now) / 1000)))
}
