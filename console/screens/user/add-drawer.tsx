import { useMutation } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { userAdminEndpoints } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { PasswordField, TextInput } from '../../ui/fields.tsx'
import { FormDrawer } from '../../ui/form-drawer.tsx'
import { toast } from '../../ui/toast.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { userText } from './catalogue.ts'
import { useCloseDrawer } from './use-close-drawer.ts'
import { refreshUsers } from './users-query.ts'

function AddDrawer() {
  const t = useText(userText)
  const close = useCloseDrawer()
  const draft = useDraft({ username: '', display_name: '', password: '' })
  const { values, set } = draft
  const [tried, setTried] = useState(false)
  const faults = {
    ...(values.username.trim() ? {} : { username: t('usernameMissing') }),
    ...(values.password ? {} : { password: t('passwordMissing') }),
  }
  const shown: Partial<Record<'username' | 'password', string>> = tried ? faults : {}
  const { mutateAsync } = useMutation({
    mutationFn: () =>
      call(userAdminEndpoints.createUser, {
        body: { ...values, username: values.username.trim(), display_name: values.display_name.trim() },
      }),
  })
  const onSave = async () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return false
    await mutateAsync()
    toast.success(t('created'))
    await refreshUsers()
    return true
  }
  return (
    <FormDrawer
      title={t('add')}
      changes={draft.changes}
      action={t('create')}
      faults={Object.entries(shown).map(([field, message]) => ({ field: `user-${field}`, message }))}
      onSave={onSave}
      onClose={close}
    >
      <TextInput
        id="user-username"
        label={t('username')}
        required
        data-autofocus
        value={values.username}
        error={shown.username}
        onChange={event => set('username', event.currentTarget.value)}
      />
      <TextInput
        id="user-display_name"
        label={t('displayName')}
        value={values.display_name}
        onChange={event => set('display_name', event.currentTarget.value)}
      />
      <PasswordField
        id="user-password"
        label={t('password')}
        description={t('passwordHelp')}
        required
        autoComplete="new-password"
        value={values.password}
        error={shown.password}
        onChange={event => set('password', event.currentTarget.value)}
      />
    </FormDrawer>
  )
}

export const addDrawer = createLazyRoute('/user/add')({ component: AddDrawer })
