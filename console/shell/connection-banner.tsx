import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ApiError } from '../api.ts'
import { shellText } from '../locales/catalogue.ts'
import { statusQuery } from '../status.ts'
import { useText } from '../text.ts'
import styles from './shell.module.css'

/** Says when the browser is offline, or when the server does not answer as it should. */
export function ConnectionBanner() {
  const t = useText(shellText)
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  const { error, refetch, isFetching } = useQuery(statusQuery)
  if (online && !error) return null
  const unreachable = error instanceof ApiError && error.kind === 'unreachable'
  return (
    <div className={styles.banner} role="alert">
      {!online && <span>{t('connection.offline')}</span>}
      {online && (
        <>
          <span>{unreachable ? t('connection.unreachable') : t('connection.statusFailed')}</span>
          <Button
            variant="default"
            size="compact-xs"
            loading={isFetching}
            onClick={() => {
              refetch().catch(() => {})
            }}
          >
            {t('action.retry')}
          </Button>
        </>
      )}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
