import { useMutation, useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type TokenView, tokenEndpoints } from '../../../contract/tokens.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { FormDrawer } from '../../ui/form-drawer.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { tokenText } from './catalogue.ts'
import { batchNames, draftOf, faultsOf, fieldsOf, newToken } from './token-draft.ts'
import { TokenFields } from './token-fields.tsx'
import { refreshTokens } from './tokens-query.ts'

function AddDrawer() {
  return <TokenForm token={undefined} />
}

function EditDrawer() {
  const t = useText(tokenText)
  const { id } = editDrawer.useParams()
  const close = useClose()
  const { data, error, refetch } = useQuery({
    queryKey: ['tokens', 'one', id],
    queryFn: ({ signal }) => call(tokenEndpoints.getToken, { params: { id }, signal }),
    gcTime: 0,
  })
  if (data) return <TokenForm key={data.id} token={data} />
  return (
    <FormDrawer title={t('editTitle')} changes={0} onSave={async () => false} onClose={close}>
      {error ? <LoadFailure error={error} retry={refetch} /> : <Skeleton rows={6} />}
    </FormDrawer>
  )
}

function useClose() {
  const navigate = useNavigate()
  return () => {
    navigate({ to: '/token', search: true }).catch(() => {})
  }
}

function TokenForm({ token }: { token: TokenView | undefined }) {
  const t = useText(tokenText)
  const close = useClose()
  const draft = useDraft(token ? draftOf(token) : newToken)
  const [tried, setTried] = useState(false)
  const faults = tried ? faultsOf(draft.values, token === undefined) : {}
  const { mutateAsync } = useMutation({ mutationFn: () => save(token, draft.values) })

  const onSave = async () => {
    setTried(true)
    if (Object.keys(faultsOf(draft.values, token === undefined)).length > 0) return false
    await mutateAsync()
    toast.success(token ? t('updated') : t('createdDone'))
    await refreshTokens()
    return true
  }
  return (
    <FormDrawer
      title={token ? t('editTitle') : t('addTitle')}
      changes={draft.changes}
      action={token ? t('save') : t('create')}
      faults={Object.entries(faults).map(([field, fault]) => ({
        field: `token-${field}`,
        message: t(fault),
      }))}
      onSave={onSave}
      onClose={close}
    >
      <TokenFields draft={draft} faults={faults} isNew={token === undefined} />
    </FormDrawer>
  )
}

async function save(token: TokenView | undefined, draft: ReturnType<typeof draftOf>): Promise<void> {
  const fields = fieldsOf(draft)
  const name = draft.name.trim()
  if (token) {
    await call(tokenEndpoints.updateToken, { body: { ...fields, name, id: token.id } })
    return
  }
  for (const one of batchNames(name, Number(draft.count)))
    await call(tokenEndpoints.createToken, { body: { ...fields, name: one } })
}

export const addDrawer = createLazyRoute('/token/add')({ component: AddDrawer })
export const editDrawer = createLazyRoute('/token/edit/$id')({ component: EditDrawer })
