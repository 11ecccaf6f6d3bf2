import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Callout } from '../../ui/callout.tsx'
import { unpricedQuery, useUnpricedText } from '../../unpriced.ts'

/** For whoever sets prices: that some of what channels offer cannot be called for want of one. */
export function UnpricedHint() {
  const text = useUnpricedText()
  const { data = [] } = useQuery(unpricedQuery())
  if (data.length === 0) return null
  return (
    <Callout>
      {text('offered', { count: data.length })}{' '}
      <Link to="/setting" search={{ tab: 'operation' }} hash="operation.ratios">
        {text('set')}
      </Link>
    </Callout>
  )
}
