import { CalendarRange } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { formatTime } from '../format.ts'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { lazyPart } from './lazy-part.ts'
import styles from './time-range.module.css'

const DateTimeField = lazyPart(() => import('./date-time-field.tsx'))

/** Seconds since 1970. */
export interface Range {
  readonly start: number | undefined
  readonly end: number | undefined
}

interface TimeRangeProps extends Range {
  label: string
  onChange(range: Range): void
}

const HOUR = 3600
const DAY = 24 * HOUR

/** From when to when: the usual spans a click away, any other by calendar. */
export function TimeRange({ label, start, end, onChange }: TimeRangeProps) {
  const t = useText(shellText)
  const root = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    if (!opened) return
    const onPress = (event: PointerEvent) => {
      const target = event.target
      // The calendar itself is drawn at the end of the page.
      if (target instanceof Element && !root.current?.contains(target) && !target.closest('[data-portal]'))
        setOpened(false)
    }
    addEventListener('pointerdown', onPress, true)
    return () => removeEventListener('pointerdown', onPress, true)
  }, [opened])
  const now = Math.floor(Date.now() / 1000)
  const midnight = Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
  const spans = [
    { id: 'range.hour', start: now - HOUR },
    { id: 'range.today', start: midnight },
    { id: 'range.day', start: now - DAY },
    { id: 'range.week', start: now - 7 * DAY },
    { id: 'range.month', start: now - 30 * DAY },
  ] as const
  const said =
    start === undefined && end === undefined
      ? t('range.all')
      : `${start === undefined ? '…' : formatTime(start).slice(0, -3)} – ${end === undefined ? t('range.now') : formatTime(end).slice(0, -3)}`
  return (
    <div ref={root} className={styles.root}>
      <button
        type="button"
        className={styles.button}
        aria-expanded={opened}
        aria-label={`${label}: ${said}`}
        onClick={() => setOpened(open => !open)}
      >
        <CalendarRange size={16} aria-hidden />
        {said}
      </button>
      {opened && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes it from anywhere inside
        <div
          className={styles.panel}
          onKeyDown={event => {
            if (event.key === 'Escape') setOpened(false)
          }}
        >
          <div className={styles.spans}>
            {spans.map(span => (
              <button
                key={span.id}
                type="button"
                className={styles.span}
                onClick={() => {
                  onChange({ start: span.start, end: undefined })
                  setOpened(false)
                }}
              >
                {t(span.id)}
              </button>
            ))}
            <button
              type="button"
              className={styles.span}
              onClick={() => {
                onChange({ start: undefined, end: undefined })
                setOpened(false)
              }}
            >
              {t('range.all')}
            </button>
          </div>
          <Suspense fallback={<div className={styles.waiting} />}>
            <DateTimeField
              size="xs"
              label={t('range.from')}
              value={start}
              onChange={next => onChange({ start: next, end })}
            />
            <DateTimeField
              size="xs"
              label={t('range.to')}
              value={end}
              onChange={next => onChange({ start, end: next })}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}
