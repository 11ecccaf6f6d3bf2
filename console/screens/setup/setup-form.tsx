import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { setupEndpoints } from '../../../contract/setup.ts'
import { password, userEndpoints, username } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { storeFirstRun } from '../../first-run.ts'
import { useEnter } from '../../sign-in/enter.ts'
import { statusQuery } from '../../status.ts'
import { useText } from '../../text.ts'
import formStyles from '../../ui/auth-card.module.css'
import { Callout } from '../../ui/callout.tsx'
import { PasswordField, TextInput } from '../../ui/fields.tsx'
import { toast } from '../../ui/toast.ts'
import { setupText } from './catalogue.ts'

/** The first account. Without the link's token the form says where to find it. */
export function SetupForm({ token }: { token: string }) {
  const t = useText(setupText)
  const navigate = useNavigate()
  const enter = useEnter()
  const queryClient = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { token, username: 'root', password: '', again: '' },
    validate: {
      token: value => (value.trim() === '' ? t('tokenMissing') : null),
      username: value => (username.safeParse(value).success ? null : t('usernameLength')),
      password: value => {
        if (value.length < 8) return t('passwordShort')
        return password.safeParse(value).success ? null : t('passwordLong')
      },
      again: (value, values) => (value === values.password ? null : t('passwordsDiffer')),
    },
  })
  const setup = useMutation({
    mutationFn: (values: typeof form.values) =>
      call(setupEndpoints.setup, {
        body: { token: values.token.trim(), username: values.username.trim(), password: values.password },
      }),
    onSuccess: async (_, made) => {
      storeFirstRun('open')
      await queryClient.invalidateQueries(statusQuery)
      const body = { username: made.username.trim(), password: made.password }
      // Whoever has just chosen a password need not type it again.
      const user = await call(userEndpoints.login, { body }).catch(() => undefined)
      if (user && 'username' in user) return enter(user, undefined, t('done'))
      toast.success(t('done'))
      return navigate({ to: '/login' })
    },
  })
  return (
    <form className={formStyles.form} onSubmit={form.onSubmit(values => setup.mutate(values))} noValidate>
      {token === '' && <Callout>{t('whereIsToken')}</Callout>}
      <TextInput
        label={t('token')}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        maxLength={200}
        key={form.key('token')}
        {...form.getInputProps('token')}
      />
      <TextInput
        label={t('username')}
        description={t('usernameHint')}
        autoComplete="username"
        spellCheck={false}
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <PasswordField
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        autoFocus={token !== ''}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <PasswordField
        label={t('again')}
        autoComplete="new-password"
        key={form.key('again')}
        {...form.getInputProps('again')}
      />
      <Button type="submit" fullWidth loading={setup.isPending}>
        {t('submit')}
      </Button>
    </form>
  )
}
