import { useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import Notices from '../../notices/notices.tsx'
import { selfQuery } from '../../self.ts'
import { useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { ownAccountText } from './catalogue.ts'
import { NamesForm } from './names-form.tsx'
import styles from './own-account.module.css'

function OwnAccount() {
  const t = useText(ownAccountText)
  const userId = useUser()?.id
  const { data, error, refetch } = useQuery(selfQuery(userId))
  return (
    <Page title={t('title')} lead={t('lead')}>
      <div className={styles.panels}>
        <div className={styles.panel}>
          {data && <NamesForm key={data.id} user={data} />}
          {!data && error && <LoadFailure error={error} retry={refetch} />}
          {!data && !error && <Skeleton rows={3} />}
        </div>
        {data && (
          <div className={styles.panel}>
            <Notices email={data.email} />
          </div>
        )}
      </div>
    </Page>
  )
}

export const screen = createLazyRoute('/user/edit')({ component: OwnAccount })
