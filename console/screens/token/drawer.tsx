import { useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { useRef } from 'react'
import { type TokenView, tokenEndpoints } from '../../../contract/tokens.ts'
import { call } from '../../api.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { EditDrawer } from '../../ui/layers/edit-drawer.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import { tokenText } from './catalogue.ts'
import {
  batchNames,
  changesOf,
  draftOf,
  faultsOf,
  fieldsOf,
  newToken,
  type TokenDraft,
} from './token-draft.ts'
import { TokenFields } from './token-fields.tsx'
import { ownGroupsQuery, refreshTokens } from './tokens-query.ts'

function AddToken() {
  const wantsAuto = useStatus()?.default_use_auto_group
  const offered = useQuery(ownGroupsQuery).data
  return <TokenForm token={undefined} group={wantsAuto && offered?.auto ? 'auto' : ''} />
}

function EditToken() {
  const t = useText(tokenText)
  const { id } = editDrawer.useParams()
  return (
    <EditDrawer
      title={t('editTitle')}
      list="tokens"
      id={id}
      read={signal => call(tokenEndpoints.getToken, { params: { id }, signal })}
      onClose={useCloseDrawer('/token')}
      fields={6}
    >
      {token => <TokenForm key={token.id} token={token} />}
    </EditDrawer>
  )
}

function TokenForm({ token, group = '' }: { token: TokenView | undefined; group?: string }) {
  const t = useText(tokenText)
  // Of several, those that there are by now: whoever tries again is given the others.
  const made = useRef(0)
  const draft = useDraft(token ? draftOf(token) : { ...newToken, group }, 'token')
  const form = useSaveForm({
    name: 'token',
    faults: faultsOf(draft.values, token === undefined),
    tell: t,
    save: () => (token ? change(token, draft.values) : create(draft.values, made)),
    said: token ? t('updated') : t('createdDone'),
    refresh: refreshTokens,
  })
  return (
    <FormDrawer
      {...form.drawer}
      title={token ? t('editTitle') : t('add')}
      changes={draft.changes}
      action={token ? t('action.save') : t('create')}
      onClose={useCloseDrawer('/token')}
    >
      <TokenFields draft={draft} faults={form.told} isNew={token === undefined} />
    </FormDrawer>
  )
}

async function change(token: TokenView, draft: TokenDraft): Promise<void> {
  await call(tokenEndpoints.updateToken, { body: { ...changesOf(draft, token), id: token.id } })
}

async function create(draft: TokenDraft, made: { current: number }): Promise<void> {
  const fields = fieldsOf(draft)
  try {
    for (const name of batchNames(fields.name, Number(draft.count)).slice(made.current)) {
      await call(tokenEndpoints.createToken, { body: { ...fields, name } })
      made.current++
    }
  } catch (error) {
    if (made.current > 0) refreshTokens().catch(() => {})
    throw error
  }
}

export const addDrawer = createLazyRoute('/token/add')({ component: AddToken })
export const editDrawer = createLazyRoute('/token/edit/$id')({ component: EditToken })
