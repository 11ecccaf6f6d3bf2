import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { BodyInputOf } from '../../contract/endpoint.ts'
import { passkeyEndpoints } from '../../contract/sign-in.ts'
import { call } from '../api.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { PasswordField, TextInput } from '../ui/fields/fields.tsx'
import dialogStyles from '../ui/layers/dialog.module.css'
import { Dialog } from '../ui/layers/dialog.tsx'
import { toast } from '../ui/layers/toast.ts'
import formStyles from '../ui/page/auth-card.module.css'
import { signInText } from './catalogue.ts'
import { canUsePasskeys, signChallenge, wasCancelled } from './passkeys.ts'
import { passkeysQuery } from './passkeys-query.ts'
import { proof } from './proof.ts'
import { twoFactorQuery } from './two-factor-query.ts'

type Proof = BodyInputOf<typeof passkeyEndpoints.verify>

/** The password; a code where two-factor login is on; or a passkey that is there already. */
export default function ProveAgain() {
  const t = useText(signInText)
  const status = useStatus()
  const byCode = useQuery(twoFactorQuery).data?.enabled ?? false
  const hasPasskeys = useQuery(passkeysQuery).data?.enabled ?? false
  const [secret, setSecret] = useState('')
  const verify = useMutation({
    mutationFn: (given: Proof) => call(passkeyEndpoints.verify, { body: given }),
    onSuccess: () => proof.end(true),
  })
  const byPasskey = useMutation({
    mutationFn: async () => signChallenge(await call(passkeyEndpoints.passkeyVerifyBegin)),
    onSuccess: assertion => verify.mutate({ method: 'passkey', assertion }),
    onError: error => {
      if (wasCancelled(error)) toast.warning(t('passkey.cancelled'))
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // What waits for the proof may be a form around this one, as far as React knows.
    event.stopPropagation()
    if (secret.trim() === '') return toast.error(t(byCode ? 'second.incomplete' : 'verify.incomplete'))
    verify.mutate(byCode ? { method: '2fa', code: secret.trim() } : { method: 'password', password: secret })
  }
  const field = {
    value: secret,
    onChange: (event: { currentTarget: { value: string } }) => setSecret(event.currentTarget.value),
    'data-autofocus': true,
  }
  return (
    <Dialog opened onClose={() => proof.end(false)} title={t('verify.title')} size={440}>
      <form className={formStyles.form} onSubmit={onSubmit} noValidate>
        <p>{t('verify.lead')}</p>
        {byCode ? (
          <TextInput
            {...field}
            label={t('second.code')}
            description={t('second.help')}
            autoComplete="one-time-code"
            maxLength={20}
          />
        ) : (
          <PasswordField
            {...field}
            label={t('verify.password')}
            autoComplete="current-password"
            maxLength={200}
          />
        )}
        <div className={dialogStyles.actions}>
          {hasPasskeys && canUsePasskeys(status?.server_address) && (
            <Button variant="default" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
              {t('verify.passkey')}
            </Button>
          )}
          <Button type="submit" loading={verify.isPending}>
            {t('verify.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
