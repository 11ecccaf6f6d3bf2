import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ChannelView } from '../../../../contract/channel-view.ts'
import { channelEndpoints } from '../../../../contract/channels.ts'
import { signInEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { CopyLine } from '../../../ui/content/copy-line.tsx'
import { PasswordField, TextInput } from '../../../ui/fields/fields.tsx'
import dialogStyles from '../../../ui/layers/dialog.module.css'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { formText } from './catalogue.ts'
import styles from './form.module.css'

/** The super administrator sees a key after proving again who they are; it is gone when this closes. */
export default function RevealDialog({ channel, close }: { channel: ChannelView; close(): void }) {
  const t = useText(formText)
  const { data: twoFactor } = useQuery({
    queryKey: ['two-factor'],
    queryFn: ({ signal }) => call(signInEndpoints.twoFactorStatus, { signal }),
  })
  const byCode = twoFactor?.enabled === true
  const [proof, setProof] = useState('')
  const { mutate, data, isPending } = useMutation({
    mutationFn: async () => {
      if (byCode) await call(signInEndpoints.verify, { body: { method: '2fa', code: proof.trim() } })
      return call(channelEndpoints.revealChannelKey, {
        params: { id: channel.id },
        body: { password: byCode ? '' : proof },
      })
    },
    gcTime: 0,
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // The form of the drawer is around this one, as far as React knows.
    event.stopPropagation()
    mutate()
  }
  const field = {
    'data-autofocus': true,
    value: proof,
    onChange: (event: { currentTarget: { value: string } }) => setProof(event.currentTarget.value),
  }
  return (
    <Dialog opened onClose={close} title={t('keyOf', { name: channel.name })} size={480}>
      {data ? (
        <CopyLine text={data.key} />
      ) : (
        <form onSubmit={onSubmit} noValidate>
          <p className={styles.lead}>{t('revealLead')}</p>
          {byCode ? (
            <TextInput {...field} label={t('revealCode')} autoComplete="one-time-code" maxLength={20} />
          ) : (
            <PasswordField
              {...field}
              label={t('revealPassword')}
              autoComplete="current-password"
              maxLength={200}
            />
          )}
          <div className={dialogStyles.actions}>
            <Button type="submit" loading={isPending} disabled={proof === ''}>
              {t('revealShow')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
