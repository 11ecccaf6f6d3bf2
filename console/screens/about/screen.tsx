import { useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { systemEndpoints } from '../../../contract/system.ts'
import { roles } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Page, usePageTitle } from '../../ui/page.tsx'
import { isAddress, RichContent } from '../../ui/rich-content.tsx'
import { SettingsLink } from '../../ui/settings-link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './about.module.css'
import { aboutText } from './catalogue.ts'

function About() {
  const shell = useText(shellText)
  const { data, error, refetch } = useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => call(systemEndpoints.about, { signal }),
  })
  usePageTitle(shell('nav.about'))
  if (data !== undefined && isAddress(data)) return <RichContent source={data} title={shell('nav.about')} />
  return (
    <Page title={shell('nav.about')}>
      <div className={styles.panel}>
        {error && <LoadFailure error={error} retry={refetch} />}
        {!error && data === undefined && <Skeleton />}
        {data !== undefined && data.trim() !== '' && <RichContent source={data} title={shell('nav.about')} />}
        {data?.trim() === '' && <DefaultAbout />}
      </div>
    </Page>
  )
}

function DefaultAbout() {
  const t = useText(aboutText)
  const status = useStatus()
  const isRoot = (useUser()?.role ?? 0) >= roles.root
  return (
    <>
      <p>{t('what', { name: status?.system_name ?? '' })}</p>
      <dl className={styles.facts}>
        <dt>{t('version')}</dt>
        <dd>v{status?.version}</dd>
        <dt>{t('docs')}</dt>
        <dd>
          <a href="/api/docs">/api/docs</a>
        </dd>
        <dt>{t('licence')}</dt>
        <dd>Apache-2.0</dd>
      </dl>
      {isRoot && (
        <p className={styles.hint}>
          {t('hint')} <SettingsLink section="other.personal" />
        </p>
      )}
    </>
  )
}

export const screen = createLazyRoute('/about')({ component: About })
