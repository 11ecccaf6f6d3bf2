import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useNarrow } from '../../ui/use-narrow.ts'
import { unpricedQuery, useUnpricedText } from '../../unpriced.ts'
import styles from './detail.module.css'

/**
 * For whoever sets prices: that some of what channels offer cannot be called for want of one. In the line under the
 * title, where it comes late without moving anything.
 */
export function UnpricedHint() {
  const text = useUnpricedText()
  const isNarrow = useNarrow()
  const { data = [] } = useQuery(unpricedQuery())
  if (data.length === 0) return null
  return (
    <span className={styles.unpriced}>
      <TriangleAlert size={14} aria-hidden />
      <span className={styles.unpricedWords}>
        {text(isNarrow ? 'hint' : 'offered', { count: data.length })}
      </span>{' '}
      <Link to="/setting" search={{ tab: 'operation' }} hash="operation.ratios">
        {text('set')}
      </Link>
    </span>
  )
}
