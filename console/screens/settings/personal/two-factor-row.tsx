import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { twoFactorEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { passkeysQuery } from '../../../sign-in/passkeys-query.ts'
import { twoFactorQuery } from '../../../sign-in/two-factor-query.ts'
import { useText } from '../../../text.ts'
import { Tag } from '../../../ui/content/tag.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { lazyPart } from '../../../ui/page/lazy-part.ts'
import { personalText } from './catalogue.ts'
import { Row } from './panel.tsx'

const EnrolDialog = lazyPart(() => import('./enrol-dialog.tsx'))
const BackupCodesDialog = lazyPart(() => import('./backup-codes-dialog.tsx'))
const CodeDialog = lazyPart(() => import('./code-dialog.tsx'))

/** Two-factor login: off, or on with what is left of the backup codes. */
export function TwoFactorRow() {
  const t = useText(personalText)
  const queryClient = useQueryClient()
  const { data } = useQuery(twoFactorQuery)
  const hasPasskeys = (useQuery(passkeysQuery).data?.passkeys.length ?? 0) > 0
  const [asking, setAsking] = useState<'disable' | 'backup'>()
  const [codes, setCodes] = useState<readonly string[]>()
  const setup = useMutation({ mutationFn: () => call(twoFactorEndpoints.twoFactorSetup) })
  const refresh = () => queryClient.invalidateQueries(twoFactorQuery)

  const enrolled = async () => {
    toast.success(t('two.enabled'))
    setCodes(setup.data?.backup_codes)
    setup.reset()
    await refresh()
  }
  const disable = async (code: string) => {
    await call(twoFactorEndpoints.twoFactorDisable, { body: { code } })
    setAsking(undefined)
    toast.success(t('two.disabled'))
    await refresh()
  }
  const renewCodes = async (code: string) => {
    const answer = await call(twoFactorEndpoints.twoFactorBackupCodes, { body: { code } })
    setAsking(undefined)
    setCodes(answer.backup_codes)
    await refresh()
  }
  const actions = data?.enabled ? (
    <>
      <Button variant="subtle" size="xs" onClick={() => setAsking('backup')}>
        {t('two.backup')}
      </Button>
      <Button variant="default" size="xs" onClick={() => setAsking('disable')}>
        {t('two.disable')}
      </Button>
    </>
  ) : (
    <Button
      variant="default"
      size="xs"
      disabled={!data}
      loading={setup.isPending}
      aria-label={t('two.enableTitle')}
      onClick={() => setup.mutate()}
    >
      {t('enable')}
    </Button>
  )
  return (
    <>
      <Row
        title={
          <>
            {t('second.title')}
            {data && (
              <Tag tone={data.enabled ? 'green' : 'grey'}>{data.enabled ? t('two.on') : t('two.off')}</Tag>
            )}
          </>
        }
        lead={data?.enabled ? t('two.left', { count: data.backup_codes_remaining }) : t('two.lead')}
        actions={actions}
      />
      <Suspense>
        {setup.data && <EnrolDialog enrolment={setup.data} onDone={enrolled} close={() => setup.reset()} />}
        {codes && <BackupCodesDialog codes={codes} close={() => setCodes(undefined)} />}
        {asking && (
          <CodeDialog
            title={asking === 'disable' ? t('two.disable') : t('two.backup')}
            lead={
              asking === 'backup'
                ? t('two.backupLead')
                : hasPasskeys
                  ? t('two.disableWithPasskeys')
                  : t('two.disableLead')
            }
            destructive={asking === 'disable'}
            submit={asking === 'disable' ? disable : renewCodes}
            close={() => setAsking(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
