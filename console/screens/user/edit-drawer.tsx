import { useMutation, useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { type ManagedUser, userAdminEndpoints } from '../../../contract/user-admin.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { FormDrawer } from '../../ui/form-drawer.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { userText } from './catalogue.ts'
import { EditFields } from './edit-fields.tsx'
import { useCloseDrawer } from './use-close-drawer.ts'
import { draftOfUser, faultsOfUser, fieldsOfUser } from './user-draft.ts'
import { refreshUsers } from './users-query.ts'

function EditDrawer() {
  const t = useText(userText)
  const { id } = editDrawer.useParams()
  const close = useCloseDrawer()
  const { data, error, refetch } = useQuery({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => call(userAdminEndpoints.getUser, { params: { id }, signal }),
    gcTime: 0,
  })
  if (data) return <EditForm key={data.id} user={data} />
  return (
    <FormDrawer title={t('editTitle')} changes={0} onSave={async () => false} onClose={close}>
      {error ? <LoadFailure error={error} retry={refetch} /> : <Skeleton rows={6} />}
    </FormDrawer>
  )
}

function EditForm({ user }: { user: ManagedUser }) {
  const t = useText(userText)
  const close = useCloseDrawer()
  const draft = useDraft(draftOfUser(user))
  const [tried, setTried] = useState(false)
  const faults = tried ? faultsOfUser(draft.values) : {}
  const { mutateAsync } = useMutation({
    mutationFn: () =>
      call(userAdminEndpoints.editUser, { body: { id: user.id, ...fieldsOfUser(draft.values, user) } }),
  })
  const onSave = async () => {
    setTried(true)
    if (Object.keys(faultsOfUser(draft.values)).length > 0) return false
    await mutateAsync()
    toast.success(t('updated'))
    await refreshUsers()
    return true
  }
  return (
    <FormDrawer
      title={t('editTitle')}
      changes={draft.changes}
      faults={Object.entries(faults).map(([field, fault]) => ({ field: `user-${field}`, message: t(fault) }))}
      onSave={onSave}
      onClose={close}
    >
      <EditFields user={user} draft={draft} faults={faults} />
    </FormDrawer>
  )
}

export const editDrawer = createLazyRoute('/user/edit/$id')({ component: EditDrawer })
