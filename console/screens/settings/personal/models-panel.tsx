import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { accountEndpoints } from '../../../../contract/accounts.ts'
import { roles } from '../../../../contract/users.ts'
import { call } from '../../../api.ts'
import { useUser } from '../../../session.ts'
import { useText } from '../../../text.ts'
import { copyText } from '../../../ui/content/copy.ts'
import { LoadFailure } from '../../../ui/page/load-failure.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { personalText } from './catalogue.ts'
import { Panel } from './panel.tsx'
import styles from './personal.module.css'

const shownAtFirst = 10

export function ModelsPanel() {
  const t = useText(personalText)
  const [all, setAll] = useState(false)
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  const { data, error, refetch } = useQuery({
    queryKey: ['usable-models'],
    queryFn: ({ signal }) => call(accountEndpoints.usableModels, { signal }),
    staleTime: 60_000,
  })
  const models = data ?? []
  const isLong = models.length > shownAtFirst
  return (
    <Panel
      title={t('models.title')}
      lead={data?.length === 0 ? undefined : t('models.lead')}
      action={
        models.length > 0 && (
          <Button variant="default" size="xs" onClick={() => copyText(models.join(','))}>
            {t('copyAll')}
          </Button>
        )
      }
    >
      <div className={styles.body}>
        {error && !data && <LoadFailure error={error} retry={refetch} />}
        {!error && !data && <Skeleton rows={5} />}
        {data?.length === 0 && (
          <p className={styles.hint}>
            {isAdmin ? <Link to="/channel">{t('models.addChannel')}</Link> : t('models.empty')}
          </p>
        )}
        <ul className={styles.models} aria-label={t('models.title')}>
          {models.slice(0, all ? undefined : shownAtFirst).map(model => (
            <li key={model}>
              <button type="button" className={styles.model} onClick={() => copyText(model)}>
                {model}
              </button>
            </li>
          ))}
        </ul>
        {isLong && (
          <Button
            className={styles.more}
            variant="subtle"
            size="xs"
            aria-expanded={all}
            onClick={() => setAll(!all)}
          >
            {all ? t('showFewer') : t('showAll', { count: models.length })}
          </Button>
        )}
      </div>
    </Panel>
  )
}
