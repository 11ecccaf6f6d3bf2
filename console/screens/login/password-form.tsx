import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { type SignedIn, userEndpoints } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useCaptcha } from '../../sign-in/captcha.tsx'
import { useText } from '../../text.ts'
import { PasswordField, TextInput } from '../../ui/fields/fields.tsx'
import { toast } from '../../ui/layers/toast.ts'
import formStyles from '../../ui/page/auth-card.module.css'
import { loginText } from './catalogue.ts'
import { usesDefaultPassword } from './default-password.ts'

export function PasswordForm({ onSignedIn }: { onSignedIn(answer: SignedIn): Promise<void> }) {
  const t = useText(loginText)
  const shell = useText(shellText)
  const captcha = useCaptcha()
  const form = useRef<HTMLFormElement>(null)
  const login = useMutation({
    mutationFn: (body: { username: string; password: string }) =>
      call(userEndpoints.login, { query: captcha.query, body }),
    onSuccess: async (answer, { password }) => {
      await onSignedIn(answer)
      if ('username' in answer && usesDefaultPassword(answer.username, password))
        toast.warning(t('defaultPassword'))
    },
    onError: () => {
      captcha.renew()
      // Mostly that is what was mistyped.
      inputOf(form.current, 'password')?.focus()
      inputOf(form.current, 'password')?.select()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const values = { username: String(typed.get('username')), password: String(typed.get('password')) }
    const missing =
      values.username.trim() === '' ? 'username' : values.password === '' ? 'password' : undefined
    if (missing) {
      inputOf(form.current, missing)?.focus()
      return toast.error(t('incomplete'))
    }
    if (captcha.isReady()) login.mutate(values)
  }
  return (
    <form ref={form} className={formStyles.form} onSubmit={submit} noValidate>
      <TextInput
        name="username"
        label={t('username')}
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        maxLength={100}
      />
      <PasswordField
        name="password"
        label={t('password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        maxLength={200}
      />
      {captcha.widget}
      <Button type="submit" fullWidth loading={login.isPending}>
        {shell('nav.login')}
      </Button>
    </form>
  )
}

function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>(`[name=${name}]`) ?? null
}
