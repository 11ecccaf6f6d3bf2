import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { twoFactorEndpoints } from '../../contract/sign-in.ts'
import type { FirstStep, UserView } from '../../contract/users.ts'
import { call } from '../api.ts'
import { shellText } from '../locales/catalogue.ts'
import { useStatus } from '../status.ts'
import { useText } from '../text.ts'
import { TextInput } from '../ui/fields/fields.tsx'
import { toast } from '../ui/layers/toast.ts'
import formStyles from '../ui/page/auth-card.module.css'
import { signInText } from './catalogue.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { canUsePasskeys } from './passkeys.ts'
import styles from './sign-in.module.css'

interface SecondStepProps {
  first: FirstStep
  onDone(user: UserView): unknown
  /** Gives up and begins anew. */
  onBack(): void
}

/** For accounts with an authenticator app: the first proof was right, now a code. A passkey is proof enough. */
export default function SecondStep({ first, onDone, onBack }: SecondStepProps) {
  const t = useText(signInText)
  const shell = useText(shellText)
  const status = useStatus()
  const [code, setCode] = useState('')
  const finish = useMutation({
    mutationFn: () =>
      call(twoFactorEndpoints.secondStep, { body: { flow_token: first.flow_token, code: code.trim() } }),
    onSuccess: user => onDone(user),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') return toast.error(t('second.incomplete'))
    finish.mutate()
  }
  return (
    <form className={formStyles.form} onSubmit={submit} noValidate>
      <TextInput
        label={t('second.code')}
        description={t('second.help')}
        autoComplete="one-time-code"
        autoFocus
        required
        withAsterisk={false}
        maxLength={20}
        value={code}
        onChange={event => setCode(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth loading={finish.isPending}>
        {shell('nav.login')}
      </Button>
      {first.has_passkey && canUsePasskeys(status?.server_address) && <PasskeyButton onDone={onDone} />}
      <button type="button" className={styles.back} onClick={onBack}>
        {t('second.back')}
      </button>
    </form>
  )
}
