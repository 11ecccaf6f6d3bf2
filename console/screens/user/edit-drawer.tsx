import { createLazyRoute } from '@tanstack/react-router'
import { type ManagedUser, userAdminEndpoints } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { useKeptState } from '../../kept-state.ts'
import { useText } from '../../text.ts'
import { EditDrawer } from '../../ui/layers/edit-drawer.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import { userText } from './catalogue.ts'
import { EditFields } from './edit-fields.tsx'
import { changesOfUser, draftOfUser, faultsOfUser } from './user-draft.ts'
import { refreshUsers } from './users-query.ts'

function EditUser() {
  const t = useText(userText)
  const { id } = editDrawer.useParams()
  return (
    <EditDrawer
      title={t('editTitle')}
      list="users"
      id={id}
      read={signal => call(userAdminEndpoints.getUser, { params: { id }, signal })}
      onClose={useCloseDrawer('/user')}
      fields={6}
    >
      {user => <EditForm key={user.id} user={user} />}
    </EditDrawer>
  )
}

function EditForm({ user }: { user: ManagedUser }) {
  const t = useText(userText)
  const draft = useDraft(draftOfUser(user), 'user')
  const [added, setAdded] = useKeptState('user-added', 0)
  const form = useSaveForm({
    name: 'user',
    faults: faultsOfUser(draft.values),
    tell: t,
    save: () =>
      call(userAdminEndpoints.editUser, {
        body: { id: user.id, ...changesOfUser(draft.values, user, added) },
      }),
    said: t('updated'),
    refresh: refreshUsers,
  })
  return (
    <FormDrawer
      {...form.drawer}
      title={t('editTitle')}
      changes={draft.changes}
      onClose={useCloseDrawer('/user')}
    >
      <EditFields
        user={user}
        draft={draft}
        faults={form.told}
        add={more => setAdded(before => before + more)}
      />
    </FormDrawer>
  )
}

export const editDrawer = createLazyRoute('/user/edit/$id')({ component: EditUser })
