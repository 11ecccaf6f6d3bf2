import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { messageOf } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { loadMissingStyles } from './missing-styles.ts'
import { State } from './state.tsx'

/** A screen that broke. The shell around it keeps working. */
export function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const t = useText(shellText)
  const router = useRouter()
  const retry = () => {
    loadMissingStyles()
      .then(() => {
        reset()
        return router.invalidate()
      })
      .catch(() => {})
  }
  return (
    <State
      title={t('failure.title')}
      actions={
        <>
          <Button onClick={retry}>{t('action.retry')}</Button>
          <Button variant="default" onClick={() => location.reload()}>
            {t('failure.reload')}
          </Button>
        </>
      }
    >
      {messageOf(error)}
    </State>
  )
}
