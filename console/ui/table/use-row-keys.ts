import { type KeyboardEvent as ReactKey, type RefObject, useEffect, useEffectEvent, useState } from 'react'

interface RowKeys {
  count: number
  scroller: RefObject<HTMLElement | null>
  scrollTo(index: number): void
  open(index: number): void
  select(index: number): void
}

const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** j and k (or the arrows) walk the rows, Enter opens one, x ticks it. One row at a time can be tabbed to. */
export function useRowKeys({ count, scroller, scrollTo, open, select }: RowKeys) {
  const [active, setActive] = useState(0)

  const focus = (index: number) => {
    setActive(index)
    scrollTo(index)
    const row = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)
    if (row()) row()?.focus()
    // One that is out of sight is drawn first.
    else requestAnimationFrame(() => row()?.focus())
  }

  const onKeyDown = (event: ReactKey) => {
    const row = event.target instanceof HTMLElement ? event.target : null
    // The controls inside a row keep their own keys.
    if (!row?.hasAttribute('data-row') || event.metaKey || event.ctrlKey || event.altKey) return
    const index = Number(row.dataset.row)
    const step = steps[event.key]
    if (step) focus(Math.max(0, Math.min(count - 1, index + step)))
    else if (event.key === 'Home') focus(0)
    else if (event.key === 'End') focus(count - 1)
    else if (event.key === 'Enter') open(index)
    else if (event.key === 'x') select(index)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const enter = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'j' && event.key !== 'k') return
    if (event.metaKey || event.ctrlKey || event.altKey || count === 0) return
    const target = event.target instanceof HTMLElement ? event.target : null
    if (target?.isContentEditable || target?.closest('input, textarea, select, [role=dialog], [role=menu]'))
      return
    event.preventDefault()
    focus(Math.min(active, count - 1))
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => enter(event)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  return { active: Math.min(active, Math.max(0, count - 1)), onKeyDown }
}
