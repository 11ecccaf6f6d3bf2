import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useText } from '../../../text.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { personalText } from './catalogue.ts'
import { Panel, Row } from './panel.tsx'
import { PasskeyRows } from './passkey-rows.tsx'
import styles from './personal.module.css'
import { TwoFactorRow } from './two-factor-row.tsx'

const PasswordDialog = lazyPart(() => import('./password-dialog.tsx'))
const AccessTokenDialog = lazyPart(() => import('./access-token-dialog.tsx'))

export function SecurityPanel() {
  const t = useText(personalText)
  const [open, setOpen] = useState<'password' | 'token'>()
  const close = () => setOpen(undefined)
  return (
    <Panel title={t('security.title')}>
      <ul className={styles.rows}>
        <Row
          title={t('password.title')}
          lead={t('password.lead')}
          actions={
            <Button variant="default" size="xs" onClick={() => setOpen('password')}>
              {t('password.act')}
            </Button>
          }
        />
        <TwoFactorRow />
        <PasskeyRows />
        <Row
          title={t('token.title')}
          lead={t('token.lead')}
          actions={
            <Button variant="default" size="xs" onClick={() => setOpen('token')}>
              {t('token.act')}
            </Button>
          }
        />
      </ul>
      <Suspense>
        {open === 'password' && <PasswordDialog close={close} />}
        {open === 'token' && <AccessTokenDialog close={close} />}
      </Suspense>
    </Panel>
  )
}
