import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, Suspense, useState } from 'react'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { type UserView, userEndpoints } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useCaptcha } from '../../sign-in/captcha.tsx'
import { EmailCode } from '../../sign-in/email-code.tsx'
import { invitedBy } from '../../sign-in/invite-code.ts'
import { hasLegalPages } from '../../sign-in/legal.tsx'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { PasswordField, TextInput } from '../../ui/fields/fields.tsx'
import { toast } from '../../ui/layers/toast.ts'
import formStyles from '../../ui/page/auth-card.module.css'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { registerText } from './catalogue.ts'
import { type Registration, registrationFaults } from './registration-faults.ts'

const Agreement = lazyPart(() => import('./agreement.tsx'))

interface RegisterFormProps {
  withEmail: boolean
  /** Whoever has just chosen a password need not type it again. */
  onEntered(user: UserView): Promise<void>
}

export function RegisterForm({ withEmail, onEntered }: RegisterFormProps) {
  const t = useText(registerText)
  const shell = useText(shellText)
  const navigate = useNavigate()
  const captcha = useCaptcha()
  const [values, setValues] = useState({ username: '', password: '', again: '', email: '', code: '' })
  const [tried, setTried] = useState(false)
  const [agreed, setAgreed] = useState(false)
  const status = useStatus()
  const mustAgree = hasLegalPages(status)
  const faults = registrationFaults(values, withEmail)
  const field = (name: keyof Registration) => ({
    value: values[name],
    error: tried && faults[name] ? t(faults[name]) : undefined,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues(current => ({ ...current, [name]: value }))
    },
  })
  const register = useMutation({
    mutationFn: () =>
      call(accountEndpoints.register, {
        query: captcha.query,
        body: {
          username: values.username.trim(),
          password: values.password,
          ...(withEmail ? { email: values.email.trim(), verification_code: values.code.trim() } : {}),
          aff_code: invitedBy(),
        },
      }),
    onSuccess: async () => {
      const user = await logIn()
      if (user) return onEntered(user)
      toast.success(t('done'))
      return navigate({ to: '/login' })
    },
    onError: captcha.renew,
  })
  /** A captcha is good for one call: with one, the login has its own. */
  const logIn = async () => {
    if (captcha.widget) return undefined
    const body = { username: values.username.trim(), password: values.password }
    const answer = await call(userEndpoints.login, { body }).catch(() => undefined)
    return answer && 'username' in answer ? answer : undefined
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faults).length > 0 || (mustAgree && !agreed)) return
    if (captcha.isReady()) register.mutate()
  }
  return (
    <form className={formStyles.form} onSubmit={submit} noValidate>
      <TextInput
        label={t('username')}
        description={t('usernameHint')}
        autoComplete="username"
        autoFocus
        spellCheck={false}
        maxLength={50}
        {...field('username')}
      />
      <PasswordField
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        maxLength={200}
        {...field('password')}
      />
      <PasswordField label={t('again')} autoComplete="new-password" maxLength={200} {...field('again')} />
      {withEmail && (
        <EmailCode
          captcha={captcha}
          readEmail={() => values.email}
          email={field('email')}
          code={field('code')}
        />
      )}
      {mustAgree && (
        <Suspense fallback={<div data-loading style={{ height: 22 }} />}>
          <Agreement status={status} checked={agreed} isMissed={tried && !agreed} onChange={setAgreed} />
        </Suspense>
      )}
      {captcha.widget}
      <Button type="submit" fullWidth loading={register.isPending}>
        {shell('nav.register')}
      </Button>
    </form>
  )
}
