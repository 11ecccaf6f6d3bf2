import { createLazyRoute } from '@tanstack/react-router'
import { userAdminEndpoints } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { PasswordField, TextInput } from '../../ui/fields/fields.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import { userText } from './catalogue.ts'
import { refreshUsers } from './users-query.ts'

function AddUser() {
  const t = useText(userText)
  const draft = useDraft({ username: '', display_name: '', password: '' }, 'user')
  const { values, set } = draft
  const { told, drawer } = useSaveForm({
    name: 'user',
    faults: {
      ...(values.username.trim() ? {} : { username: 'usernameMissing' as const }),
      ...(values.password.length >= 8
        ? {}
        : { password: values.password ? ('passwordShort' as const) : ('passwordMissing' as const) }),
    },
    tell: t,
    save: () =>
      call(userAdminEndpoints.createUser, {
        body: { ...values, username: values.username.trim(), display_name: values.display_name.trim() },
      }),
    said: t('created'),
    refresh: refreshUsers,
  })
  return (
    <FormDrawer
      {...drawer}
      title={t('add')}
      changes={draft.changes}
      action={t('create')}
      onClose={useCloseDrawer('/user')}
    >
      <TextInput
        id="user-username"
        label={t('username')}
        required
        data-autofocus
        value={values.username}
        error={told.username}
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
        error={told.password}
        onChange={event => set('password', event.currentTarget.value)}
      />
    </FormDrawer>
  )
}

export const addDrawer = createLazyRoute('/user/add')({ component: AddUser })
