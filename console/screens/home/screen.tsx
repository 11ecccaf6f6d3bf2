import { useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { systemEndpoints } from '../../../contract/system.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { isAddress, RichContent } from '../../ui/content/rich-content.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { usePageTitle } from '../../ui/page/page.tsx'
import { ScreenSkeleton } from '../../ui/page/skeleton.tsx'
import { DefaultHome } from './default-home.tsx'
import styles from './home.module.css'
import { SetupHint } from './setup-hint.tsx'

function Home() {
  const shell = useText(shellText)
  const { data, error, refetch } = useQuery({
    queryKey: ['home-page-content'],
    queryFn: ({ signal }) => call(systemEndpoints.homePageContent, { signal }),
  })
  usePageTitle('')
  return (
    <>
      <SetupHint />
      {error && (
        <div className={styles.custom}>
          <LoadFailure error={error} retry={refetch} />
        </div>
      )}
      {!error && data === undefined && <ScreenSkeleton />}
      {data?.trim() === '' && <DefaultHome />}
      {data !== undefined && data.trim() !== '' && (
        <div className={isAddress(data) ? undefined : styles.custom}>
          <RichContent source={data} title={shell('nav.home')} />
        </div>
      )}
    </>
  )
}

export const screen = createLazyRoute('/')({ component: Home })
