import { useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { useRef } from 'react'
import { type TokenView, tokenEndpoints } from '../../../contract/tokens.ts'
import { call } from '../../api.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { copyText } from '../../ui/content/copy.ts'
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

/** To read what is said, and to reach for what is offered. */
const LONG_ENOUGH = 10_000

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
    faults: faultsOf(draft.values, token),
    tell: t,
    save: () => (token ? change(token, draft.values) : create(draft.values, made)),
    said: token ? t('updated') : t('createdDone'),
    offer: made =>
      made && { label: t('action.copy'), milliseconds: LONG_ENOUGH, act: () => copyText(`sk-${made.key}`) },
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

async function change(token: TokenView, draft: TokenDraft): Promise<undefined> {
  await call(tokenEndpoints.updateToken, { body: { ...changesOf(draft, token), id: token.id } })
}

/** The one that was made, where it was one: its key is what it was made for. */
async function create(draft: TokenDraft, made: { current: number }): Promise<TokenView | undefined> {
  const fields = fieldsOf(draft)
  try {
    for (const name of batchNames(fields.name, Number(draft.count)).slice(made.current)) {
      await call(tokenEndpoints.createToken, { body: { ...fields, name } })
      made.current++
    }
    return Number(draft.count) === 1 ? await readNewest(fields.name) : undefined
  } catch (error) {
    if (made.current > 0) refreshTokens().catch(() => {})
    throw error
  }
}

/** It is there in any case: that it could not be read is no failure. */
async function readNewest(name: string): Promise<TokenView | undefined> {
  const query = { p: 1, page_size: 10 }
  const newest = await call(tokenEndpoints.listTokens, { query }).catch(() => [])
  const tokens = 'items' in newest ? newest.items : newest
  return tokens.find(token => token.name === name && token.key !== '')
}

export const addDrawer = createLazyRoute('/token/add')({ component: AddToken })
export const editDrawer = createLazyRoute('/token/edit/$id')({ component: EditToken })
