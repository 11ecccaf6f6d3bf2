import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { BodyInputOf } from '../../../../contract/endpoint.ts'
import { passkeyEndpoints } from '../../../../contract/sign-in.ts'
import { call } from '../../../api.ts'
import { signChallenge, wasCancelled } from '../../../sign-in/passkeys.ts'
import { useText } from '../../../text.ts'
import dialogStyles from '../../../ui/dialog.module.css'
import { PasswordField, TextInput } from '../../../ui/fields.tsx'
import { toast } from '../../../ui/toast.ts'
import { personalText } from './catalogue.ts'
import styles from './personal.module.css'
import { twoFactorQuery } from './two-factor-query.ts'

type Proof = BodyInputOf<typeof passkeyEndpoints.verify>

/** The password; a code where two-factor login is on; or a passkey that is there already. */
export function ProveAgain({ hasPasskeys, onDone }: { hasPasskeys: boolean; onDone(): void }) {
  const t = useText(personalText)
  const { data } = useQuery(twoFactorQuery)
  const byCode = data?.enabled ?? false
  const [secret, setSecret] = useState('')
  const verify = useMutation({
    mutationFn: (proof: Proof) => call(passkeyEndpoints.verify, { body: proof }),
    onSuccess: () => onDone(),
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
    if (secret.trim() === '') return toast.error(t(byCode ? 'two.codeMissing' : 'verify.passwordMissing'))
    verify.mutate(byCode ? { method: '2fa', code: secret.trim() } : { method: 'password', password: secret })
  }
  const field = {
    value: secret,
    onChange: (event: { currentTarget: { value: string } }) => setSecret(event.currentTarget.value),
    autoFocus: true,
  }
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>{t('verify.lead')}</p>
      {byCode ? (
        <TextInput
          {...field}
          label={t('two.code')}
          description={t('two.codeHelp')}
          autoComplete="one-time-code"
          maxLength={20}
        />
      ) : (
        <PasswordField
          {...field}
          label={t('password.title')}
          autoComplete="current-password"
          maxLength={200}
        />
      )}
      <div className={dialogStyles.actions}>
        {hasPasskeys && (
          <Button variant="default" loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            {t('verify.passkey')}
          </Button>
        )}
        <Button type="submit" loading={verify.isPending}>
          {t('verify.submit')}
        </Button>
      </div>
    </form>
  )
}
