import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useText } from '../../text.ts'
import { settingsText } from './catalogue.ts'
import styles from './settings.module.css'
import { showInRow } from './show-in-row.ts'

const stay = { resetScroll: false, hashScrollIntoView: false } as const

interface Entry {
  readonly id: string
  readonly title: string
  readonly dirty: boolean
}

interface SectionNavProps {
  entries: readonly Entry[]
  /** How many of the sections are there already. */
  drawn: number
  /** Makes all of them be there. */
  drawAll(): void
}

export function SectionNav({ entries, drawn, drawAll }: SectionNavProps) {
  const t = useText(settingsText)
  const navigate = useNavigate()
  const { chosen, choose } = useChosen()
  const visible = useVisibleSection(
    entries
      .slice(0, drawn)
      .map(({ id }) => id)
      .join(' '),
  )
  const current = chosen ?? visible
  return (
    <nav className={styles.nav} aria-label={t('sections')}>
      {entries.map(({ id, title, dirty }) => (
        <a
          key={id}
          href={`#${id}`}
          className={styles.navItem}
          aria-current={id === current ? 'true' : undefined}
          ref={id === current ? showInRow : null}
          onClick={event => {
            event.preventDefault()
            drawAll()
            choose(id)
            const section = document.getElementById(id)
            section?.scrollIntoView({ block: 'start' })
            section?.focus({ preventScroll: true })
            // In the address too: it can be sent to someone, and a reload stays here.
            navigate({ to: '.', search: true, hash: id, replace: true, ...stay }).catch(() => {})
          }}
        >
          {title}
          {dirty && <span className={styles.dot} role="img" aria-label={t('unsaved')} />}
        </a>
      ))}
    </nav>
  )
}

/** The section that was asked for, until someone scrolls: the last ones never come to the top. */
function useChosen() {
  const [chosen, choose] = useState<string>()
  useEffect(() => {
    const forget = () => choose(undefined)
    addEventListener('wheel', forget, { passive: true })
    addEventListener('touchmove', forget, { passive: true })
    addEventListener('keydown', forget)
    return () => {
      removeEventListener('wheel', forget)
      removeEventListener('touchmove', forget)
      removeEventListener('keydown', forget)
    }
  }, [])
  return { chosen, choose }
}

/** The topmost section in view. `ids` is one string so that the effect runs only when they change. */
function useVisibleSection(ids: string): string | undefined {
  const [current, setCurrent] = useState(ids.split(' ')[0])
  useEffect(() => {
    const inView = new Set<string>()
    const order = ids.split(' ')
    const observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inView.add(target.id)
          else inView.delete(target.id)
        }
        const first = order.find(id => inView.has(id))
        if (first) setCurrent(first)
      },
      { rootMargin: '-120px 0px -40% 0px' },
    )
    for (const id of order) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [ids])
  return current
}
