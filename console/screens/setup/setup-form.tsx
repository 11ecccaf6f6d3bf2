import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { password, username } from '../../../contract/credentials.ts'
import { setupEndpoints } from '../../../contract/setup.ts'
import { userEndpoints } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { storeFirstRun } from '../../first-run.ts'
import { useEnter } from '../../sign-in/enter.ts'
import { statusQuery } from '../../status.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { PasswordField, TextInput } from '../../ui/fields/fields.tsx'
import { toast } from '../../ui/layers/toast.ts'
import formStyles from '../../ui/page/auth-card.module.css'
import { setupText } from './catalogue.ts'

interface Values {
  readonly token: string
  readonly username: string
  readonly password: string
  readonly again: string
}

type Fault = 'tokenMissing' | 'usernameLength' | 'passwordShort' | 'passwordLong' | 'passwordsDiffer'

/** What is wrong with each field, by the name of the words that say so. */
function faultsOf(values: Values): Partial<Record<keyof Values, Fault>> {
  const faults: Partial<Record<keyof Values, Fault>> = {}
  if (values.token.trim() === '') faults.token = 'tokenMissing'
  if (!username.safeParse(values.username).success) faults.username = 'usernameLength'
  if (values.password.length < 8) faults.password = 'passwordShort'
  else if (!password.safeParse(values.password).success) faults.password = 'passwordLong'
  if (values.again !== values.password) faults.again = 'passwordsDiffer'
  return faults
}

/** The link names the machine as it knows itself, so that some can only copy it: whole, then, or what is needed of it. */
function tokenIn(text: string): string {
  return /[?&]token=([^&#\s]+)/.exec(text)?.[1] ?? text.trim()
}

/** The first account. Without the link's token the form says where to find it. */
export function SetupForm({ token }: { token: string }) {
  const t = useText(setupText)
  const navigate = useNavigate()
  const enter = useEnter()
  const queryClient = useQueryClient()
  const [values, setValues] = useState({ token, username: 'root', password: '', again: '' })
  const [tried, setTried] = useState(false)
  const faults = faultsOf(values)
  const field = (name: keyof Values) => ({
    value: values[name],
    error: tried && faults[name] ? t(faults[name]) : undefined,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues(current => ({ ...current, [name]: value }))
    },
  })
  const setup = useMutation({
    mutationFn: (made: Values) =>
      call(setupEndpoints.setup, {
        body: { token: tokenIn(made.token), username: made.username.trim(), password: made.password },
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faults).length === 0) setup.mutate(values)
  }
  return (
    <form className={formStyles.form} onSubmit={submit} noValidate>
      {token === '' && <Callout>{t('whereIsToken')}</Callout>}
      <TextInput
        label={t('token')}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        maxLength={200}
        {...field('token')}
      />
      <TextInput
        label={t('username')}
        description={t('usernameHint')}
        autoComplete="username"
        spellCheck={false}
        {...field('username')}
      />
      <PasswordField
        label={t('password')}
        description={t('passwordHint')}
        autoComplete="new-password"
        autoFocus={token !== ''}
        {...field('password')}
      />
      <PasswordField label={t('again')} autoComplete="new-password" {...field('again')} />
      <Button type="submit" fullWidth loading={setup.isPending}>
        {t('submit')}
      </Button>
    </form>
  )
}
