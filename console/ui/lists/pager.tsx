import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '../../format.ts'
import { shellText } from '../../locales/catalogue.ts'
import { pageSizes } from '../../page-size.ts'
import { useText } from '../../text.ts'
import '../looks/chevron.css'
import styles from './pager.module.css'
import { pagesAround } from './pages-around.ts'

interface PagerProps {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  /** There are more than were counted. */
  isEstimate?: boolean | undefined
  onPage(page: number): void
  onPageSize(size: number): void
}

/** Where a list goes on: what is shown of how many, the pages, and how many to a page. */
export function Pager({ page, pageSize, total, isEstimate, onPage, onPageSize }: PagerProps) {
  const t = useText(shellText)
  if (total === 0) return null
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const [from, to] = [Math.min(total, (page - 1) * pageSize + 1), Math.min(total, page * pageSize)]
  return (
    <nav className={styles.pager} aria-label={t('pager.title')}>
      <span className={styles.range}>
        {t('pager.range', {
          from: formatCount(from),
          to: formatCount(to),
          total: isEstimate ? `${formatCount(total)}+` : formatCount(total),
        })}
      </span>
      {pages > 1 && (
        <span className={styles.pages}>
          <Step label={t('pager.previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <ChevronLeft size={16} aria-hidden />
          </Step>
          {pagesAround(page, pages).map(number =>
            number < 0 ? (
              <span key={number} className={styles.gap} aria-hidden>
                …
              </span>
            ) : (
              <button
                key={number}
                type="button"
                className={styles.page}
                aria-current={number === page ? 'page' : undefined}
                aria-label={t('pager.page', { page: formatCount(number) })}
                onClick={() => onPage(number)}
              >
                {formatCount(number)}
              </button>
            ),
          )}
          <Step label={t('pager.next')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <ChevronRight size={16} aria-hidden />
          </Step>
        </span>
      )}
      <label className={styles.size}>
        {t('pager.size')}
        <select
          className={styles.select}
          value={pageSize}
          onChange={event => onPageSize(Number(event.currentTarget.value))}
        >
          {pageSizes.map(size => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
    </nav>
  )
}

interface StepProps {
  label: string
  disabled: boolean
  onClick(): void
  children: React.ReactNode
}

/** At the end it stays where it is: were it disabled, whoever pressed it by key would lose their place. */
function Step({ label, disabled, onClick, children }: StepProps) {
  return (
    <button
      type="button"
      className={styles.page}
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      {children}
    </button>
  )
}
