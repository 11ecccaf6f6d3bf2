import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { systemEndpoints } from '../../../contract/system.ts'
import { call } from '../../api.ts'
import { isAddress, RichContent } from '../../ui/content/rich-content.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page, usePageTitle } from '../../ui/page/page.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import styles from './about.module.css'

interface WrittenPageProps {
  text: 'about' | 'userAgreement' | 'privacyPolicy'
  title: string
  /** Stands there while nothing has been written. */
  children?: ReactNode
}

/** A page that the super administrator writes, or the address of one. */
export function WrittenPage({ text, title, children }: WrittenPageProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['written-page', text],
    queryFn: ({ signal }) => call(systemEndpoints[text], { signal }),
  })
  usePageTitle(title)
  if (data !== undefined && isAddress(data)) return <RichContent source={data} title={title} />
  return (
    <Page title={title}>
      <div className={styles.panel}>
        {error && <LoadFailure error={error} retry={refetch} />}
        {!error && data === undefined && <Skeleton />}
        {data !== undefined && data.trim() !== '' && <RichContent source={data} title={title} />}
        {data?.trim() === '' && children}
      </div>
    </Page>
  )
}
