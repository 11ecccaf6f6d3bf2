import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type UserView, userEndpoints } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { landingPath } from '../../navigation.ts'
import { useScreenPaths } from '../../screen-paths.ts'
import { storeUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { store } from '../../storage.ts'
import { useText } from '../../text.ts'
import formStyles from '../../ui/auth-card.module.css'
import { AuthCard } from '../../ui/auth-card.tsx'
import { Callout } from '../../ui/callout.tsx'
import { PasswordField, TextInput } from '../../ui/fields.tsx'
import { toast } from '../../ui/toast.ts'
import { loginText } from './catalogue.ts'
import { usesDefaultPassword } from './default-password.ts'
import { SecondStep } from './second-step.tsx'

function Login() {
  const t = useText(loginText)
  const { expired, aff } = screen.useSearch()
  const status = useStatus()
  useEffect(() => {
    if (aff) store('aff', aff)
  }, [aff])
  return (
    <AuthCard title={t('title')} lead={t('lead', { name: status?.system_name ?? '' })}>
      <div className={formStyles.form}>
        {expired && <Callout tone="warning">{t('expired')}</Callout>}
        {status?.setup === false && (
          <Callout>
            {t('notSetUp')} <Link to="/setup">{t('toSetup')}</Link>
          </Callout>
        )}
        <LoginForm />
      </div>
    </AuthCard>
  )
}

function LoginForm() {
  const t = useText(loginText)
  const navigate = useNavigate()
  const screens = useScreenPaths()
  const [ticket, setTicket] = useState<string>()
  const form = useForm({ mode: 'uncontrolled', initialValues: { username: '', password: '' } })
  const login = useMutation({
    mutationFn: (body: { username: string; password: string }) => call(userEndpoints.login, { body }),
    onSuccess: async (answer, { password }) => {
      if ('require_2fa' in answer) return setTicket(answer.flow_token)
      await enter(answer)
      if (usesDefaultPassword(answer.username, password)) toast.warning(t('defaultPassword'))
    },
  })
  const enter = async (user: UserView) => {
    storeUser(user)
    toast.success(t('done'))
    await navigate({ to: landingPath(user.role, screens) })
  }
  const submit = form.onSubmit(values => {
    if (values.username.trim() === '' || values.password === '') return toast.error(t('incomplete'))
    login.mutate(values)
  })
  if (ticket !== undefined) return <SecondStep ticket={ticket} onDone={enter} />
  return (
    <form className={formStyles.form} onSubmit={submit} noValidate>
      <TextInput
        label={t('username')}
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        maxLength={100}
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        required
        withAsterisk={false}
        maxLength={200}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <Button type="submit" fullWidth loading={login.isPending}>
        {t('submit')}
      </Button>
    </form>
  )
}

export const screen = createLazyRoute('/login')({ component: Login })
