import { Button } from '@mantine/core'
import { useState } from 'react'
import { shellText } from '../../../locales/catalogue.ts'
import { useText } from '../../../text.ts'
import { SwitchField } from '../../../ui/fields/switch-field.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'

interface Props {
  count: number
  mayHaveToken: boolean | undefined
  close(): void
  end(token: boolean): void
}

/** Who wants everybody else out usually wants whoever holds the access token out as well. */
export default function EndSessionsDialog({ count, mayHaveToken, close, end }: Props) {
  const t = useText(personalText)
  const shell = useText(shellText)
  const [token, setToken] = useState(true)
  return (
    <Dialog opened onClose={close} title={t('sessions.endOthers')} size={440}>
      <div className={styles.stack}>
        <p>{t('sessions.endOthersText', { count })}</p>
        {mayHaveToken && (
          <SwitchField
            label={t('token.revokeToo')}
            checked={token}
            onChange={event => setToken(event.currentTarget.checked)}
          />
        )}
      </div>
      <div className={dialogStyles.actions}>
        <Button variant="default" onClick={close} data-autofocus>
          {shell('action.cancel')}
        </Button>
        <Button
          color="red"
          onClick={() => {
            close()
            end(token)
          }}
        >
          {t('sessions.endOthers')}
        </Button>
      </div>
    </Dialog>
  )
}
