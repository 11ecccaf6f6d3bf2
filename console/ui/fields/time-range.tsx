import { CalendarRange } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { formatTime } from '../../format.ts'
import { shellText } from '../../locales/catalogue.ts'
import { named } from '../../punctuation.ts'
import { type TranslateOf, useText } from '../../text.ts'
import type { Filter } from '../lists/filter-bar.tsx'
import { lazyPart } from '../page/lazy-part.ts'
import styles from './time-range.module.css'

const DateTimeField = lazyPart(() => import('./date-time-field.tsx'))

/** Seconds since 1970; a start below 0 is that far back from now, whenever that is. */
export interface Range {
  readonly start: number | undefined
  readonly end: number | undefined
}

interface TimeRangeProps extends Range {
  label: string
  /** It is not what the list shows of itself. */
  isSet?: boolean
  /** The usual spans go on with the clock. */
  rolling?: boolean
  onChange(range: Range): void
}

const HOUR = 3600
const DAY = 24 * HOUR
const spans = [
  { id: 'range.hour', length: HOUR },
  { id: 'range.day', length: DAY },
  { id: 'range.week', length: 7 * DAY },
  { id: 'range.month', length: 30 * DAY },
] as const

const secondsNow = () => Math.floor(Date.now() / 1000)

/** The first second of a day of this month by the reader's clock; 0 is the last day of the month before. */
function beginningOf(day: (today: number) => number): number {
  const date = new Date()
  date.setDate(day(date.getDate()))
  return Math.floor(date.setHours(0, 0, 0, 0) / 1000)
}

/** What people settle their accounts by. */
const calendar = [
  { id: 'range.today', range: () => ({ start: beginningOf(today => today), end: undefined }) },
  {
    id: 'range.yesterday',
    range: () => ({
      start: beginningOf(today => today - 1),
      end: beginningOf(today => today) - 1,
    }),
  },
  { id: 'range.thisMonth', range: () => ({ start: beginningOf(() => 1), end: undefined }) },
] as const

const fixed = (start: number | undefined) => (start !== undefined && start < 0 ? secondsNow() + start : start)

/** The month before this one, from its first second to its last: what bills are made of. */
function lastMonth(): { start: number; end: number } {
  const now = new Date()
  const begin = (month: number) => new Date(now.getFullYear(), month, 1).getTime() / 1000
  return { start: begin(now.getMonth() - 1), end: begin(now.getMonth()) - 1 }
}

/** Such as 2026-10: the same in every language. */
const monthName = (start: number) => formatTime(start).slice(0, 7)

/** Whether the span is one whole month. */
function isMonth({ start, end }: Range): boolean {
  if (start === undefined || start <= 0 || end === undefined) return false
  const first = new Date(start * 1000)
  return (
    new Date(first.getFullYear(), first.getMonth(), 1).getTime() === start * 1000 &&
    new Date(first.getFullYear(), first.getMonth() + 1, 1).getTime() === (end + 1) * 1000
  )
}

function wordsOf(t: TranslateOf<typeof shellText>, { start, end }: Range): string {
  if (start === undefined && end === undefined) return t('range.all')
  if (start !== undefined && isMonth({ start, end })) return monthName(start)
  const span = end === undefined && start && spans.find(({ length }) => length === -start)
  if (span) return t(span.id)
  const [from, to] = [fixed(start), end].map(time => time && formatTime(time).slice(0, -3))
  return `${from ?? '…'} – ${to ?? t('range.now')}`
}

/** From when to when: the usual spans a click away, any other by calendar. */
export function TimeRange({ label, start, end, isSet, rolling, onChange }: TimeRangeProps) {
  const t = useText(shellText)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
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
  const shut = () => {
    setOpened(false)
    button.current?.focus({ preventScroll: true })
  }
  const said = wordsOf(t, { start, end })
  const choices = [
    ...calendar.map(({ id, range }) => ({ name: t(id), range })),
    { name: monthName(lastMonth().start), range: lastMonth },
    ...spans.map(({ id, length }) => ({
      name: t(id),
      range: () => ({ start: rolling ? -length : secondsNow() - length, end: undefined }),
    })),
    { name: t('range.all'), range: () => ({ start: undefined, end: undefined }) },
  ]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes it from anywhere inside
    <div
      ref={root}
      className={styles.root}
      onKeyDown={({ key, target }) => {
        // The calendar closes by itself first.
        if (opened && key === 'Escape' && target instanceof Node && root.current?.contains(target)) shut()
      }}
    >
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-expanded={opened}
        aria-label={named(label, said)}
        data-set={isSet || undefined}
        onClick={() => setOpened(open => !open)}
      >
        <CalendarRange size={16} aria-hidden />
        {said}
      </button>
      {opened && (
        <div className={styles.panel}>
          <div className={styles.spans}>
            {choices.map(({ name, range }) => (
              <button
                key={name}
                type="button"
                className={styles.span}
                onClick={() => {
                  onChange(range())
                  shut()
                }}
              >
                {name}
              </button>
            ))}
          </div>
          <Suspense fallback={<div className={styles.waiting} />}>
            <DateTimeField
              size="xs"
              label={t('range.from')}
              value={fixed(start)}
              onChange={next => onChange({ start: next, end })}
            />
            <DateTimeField
              size="xs"
              label={t('range.to')}
              value={end}
              onChange={next => onChange({ start: fixed(start), end: next })}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}

interface TimeFilterProps extends TimeRangeProps {
  t: TranslateOf<typeof shellText>
  isSet: boolean
  remove(): void
}

/** The same as a filter. */
export function timeFilter({ t, remove, ...props }: TimeFilterProps): Filter {
  return {
    id: 'time',
    label: props.label,
    value: props.isSet ? wordsOf(t, props) : undefined,
    control: <TimeRange rolling {...props} />,
    remove,
  }
}
