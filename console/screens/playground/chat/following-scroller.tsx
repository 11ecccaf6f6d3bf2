import { ArrowDown } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useText } from '../../../text.ts'
import { playgroundText } from '../models/catalogue.ts'
import styles from '../playground.module.css'

/** So near to the end counts as there. */
const NEAR = 48

interface FollowingScrollerProps {
  label: string
  running: boolean
  /** A new question brings its reader to the end. */
  count: number
  children: ReactNode
}

/** Stays at the end while its content grows, until its reader scrolls away. */
export function FollowingScroller({ label, running, count, children }: FollowingScrollerProps) {
  const t = useText(playgroundText)
  const host = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const lastTop = useRef(0)
  const [away, setAway] = useState(false)

  const toEnd = () => {
    following.current = true
    setAway(false)
    host.current?.scrollTo({ top: host.current.scrollHeight })
  }
  const onCount = useEffectEvent(toEnd)
  useEffect(() => {
    if (count > 0) onCount()
  }, [count])
  useEffect(() => {
    if (!content.current) return
    const observer = new ResizeObserver(() => {
      if (following.current) host.current?.scrollTo({ top: host.current.scrollHeight })
    })
    observer.observe(content.current)
    return () => observer.disconnect()
  }, [])
  const onScroll = () => {
    const element = host.current
    if (!element) return
    const wentUp = element.scrollTop < lastTop.current
    lastTop.current = element.scrollTop
    // Content that grows leaves the end too; only its reader scrolls up.
    if (element.scrollHeight - element.scrollTop - element.clientHeight < NEAR) following.current = true
    else if (wentUp) following.current = false
    setAway(!following.current)
  }
  return (
    <div className={styles.scrolling}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section ref={host} className={styles.scroller} aria-label={label} tabIndex={0} onScroll={onScroll}>
        <div ref={content} className={styles.turns}>
          {children}
        </div>
      </section>
      {away && (
        <button type="button" className={styles.toEnd} onClick={toEnd}>
          <ArrowDown size={14} aria-hidden />
          {running ? t('toEnd.running') : t('toEnd.plain')}
        </button>
      )}
    </div>
  )
}
