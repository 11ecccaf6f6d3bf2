import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import styles from './action-menu.module.css'
import type { RowAction } from './column.ts'

interface ActionMenuProps {
  anchor: RefObject<HTMLElement | null>
  label: string
  actions: readonly RowAction[]
  close(): void
}

const GAP = 4
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

export function ActionMenu({ anchor, label, actions, close }: ActionMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const openedAt = useRef(0)
  const [inner, setInner] = useState<readonly RowAction[]>()
  const leave = useEffectEvent(() => {
    close()
    anchor.current?.focus({ preventScroll: true })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is as high as it is, and begins at its first
  useLayoutEffect(() => {
    const [box, list] = [anchor.current?.getBoundingClientRect(), menu.current]
    if (!box || !list) return
    openedAt.current = box.top
    const below = box.bottom + GAP
    const above = box.top - GAP - list.offsetHeight
    list.style.top = `${below + list.offsetHeight > innerHeight && above > 0 ? above : below}px`
    list.style.left = `${Math.max(8, Math.min(box.right - list.offsetWidth, innerWidth - list.offsetWidth - 8))}px`
    itemsOf(list)[0]?.focus({ preventScroll: true })
  }, [anchor, inner])

  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && menu.current?.contains(event.target)) return
      if (event.target instanceof Node && anchor.current?.contains(event.target)) return
      close()
    }
    // The event of a scroll may come after the click that it led to.
    const onScroll = () => {
      const top = anchor.current?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY
      if (Math.abs(top - openedAt.current) > 2) close()
    }
    addEventListener('pointerdown', onPress, true)
    addEventListener('scroll', onScroll, true)
    return () => {
      removeEventListener('pointerdown', onPress, true)
      removeEventListener('scroll', onScroll, true)
    }
  }, [anchor, close])

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      leave()
    }
    const items = menu.current ? itemsOf(menu.current) : []
    const step = steps[event.key]
    const at = items.indexOf(document.activeElement as HTMLButtonElement)
    if (step) items[(at + step + items.length) % items.length]?.focus()
    if (event.key === 'Home') items[0]?.focus()
    if (event.key === 'End') items.at(-1)?.focus()
    if (step || event.key === 'Home' || event.key === 'End') event.preventDefault()
  }

  return createPortal(
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={styles.menu}
      onKeyDown={onKeyDown}
    >
      {(inner ?? actions).map(({ id, label: text, destructive, disabled, menu: list, act }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={disabled}
          aria-haspopup={list && !act ? 'menu' : undefined}
          className={destructive ? `${styles.item} ${styles.destructive}` : styles.item}
          onClick={() => {
            if (list && !act) return setInner(typeof list === 'function' ? list() : list)
            leave()
            act?.()
          }}
        >
          {text}
        </button>
      ))}
    </div>,
    document.body,
  )
}

function itemsOf(menu: HTMLElement): HTMLButtonElement[] {
  return [...menu.querySelectorAll<HTMLButtonElement>('[role=menuitem]:not(:disabled)')]
}
