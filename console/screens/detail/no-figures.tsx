import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFirstSteps } from '../../first-steps.tsx'
import { useText } from '../../text.ts'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { detailText } from './catalogue.ts'
import type { DetailSearch } from './choices.ts'
import { readPeriod } from './period.ts'
import { statisticsQuery } from './statistics-query.ts'

const YEAR = 365 * 86_400

interface NoFiguresProps {
  wholeSite: boolean
  offset: number
  change(search: DetailSearch): void
}

/** Nothing in this period, or nothing at all yet: the one wants another period, the other a first call. */
export function NoFigures({ wholeSite, offset, change }: NoFiguresProps) {
  const t = useText(detailText)
  const guide = useFirstSteps()
  const { to } = readPeriod({ span: '24h' }, 'hour')
  const { data, isPending } = useQuery(
    statisticsQuery(wholeSite, { by: 'none', unit: 'all', from: to + 1 - YEAR, to, offset }),
  )
  if (isPending) return <Skeleton rows={4} />
  if (data && data.rows.length === 0)
    return (
      guide ?? (
        <Empty
          title={t('none')}
          actions={
            // Who runs the site needs a channel before a token: the guide knows what is next.
            <Button size="xs" component={Link} to={wholeSite ? '/start' : '/token/add'}>
              {t(wholeSite ? 'nav.start' : 'createToken')}
            </Button>
          }
        >
          {t('noneLead')}
        </Empty>
      )
    )
  return (
    <Empty
      title={t('noneHere')}
      actions={
        <Button
          size="xs"
          variant="default"
          onClick={() => change({ span: '30d', start: undefined, end: undefined, unit: undefined })}
        >
          {t('show30')}
        </Button>
      }
    >
      {t('noneHereLead')}
    </Empty>
  )
}
