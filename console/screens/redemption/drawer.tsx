import { createLazyRoute } from '@tanstack/react-router'
import { useState } from 'react'
import {
  LONGEST_CODE_NAME_BYTES,
  type RedemptionView,
  redemptionEndpoints,
} from '../../../contract/redemptions.ts'
import { call } from '../../api.ts'
import { changedFields } from '../../changed-fields.ts'
import { formatQuota } from '../../quota.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { ExpiryField } from '../../ui/fields/expiry-field.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import { EditDrawer } from '../../ui/layers/edit-drawer.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import { redemptionText } from './catalogue.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { refreshRedemptions } from './redemptions-query.ts'

function AddCodes() {
  return <RedemptionForm code={undefined} />
}

function EditCode() {
  const t = useText(redemptionText)
  const { id } = editDrawer.useParams()
  return (
    <EditDrawer
      title={t('editTitle')}
      list="redemptions"
      id={id}
      read={signal => call(redemptionEndpoints.getRedemption, { params: { id }, signal })}
      onClose={useCloseDrawer('/redemption')}
      fields={4}
    >
      {code => <RedemptionForm key={code.id} code={code} />}
    </EditDrawer>
  )
}

const isTooLong = (name: string) => new TextEncoder().encode(name).length > LONGEST_CODE_NAME_BYTES

const isWhole = (text: string, least: number, most: number) =>
  /^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

function RedemptionForm({ code }: { code: RedemptionView | undefined }) {
  const t = useText(redemptionText)
  const status = useStatus()
  const close = useCloseDrawer('/redemption')
  const draft = useDraft(
    {
      name: code?.name ?? '',
      quota: String(code?.quota ?? 100_000),
      count: '1',
      expires: code?.expired_time || undefined,
    },
    'redemption',
  )
  const { values, set } = draft
  const [made, setMade] = useState<{ name: string; codes: readonly string[] }>()
  const save = async () => {
    const quota = Number(values.quota)
    const worth = (amount: number) => (status ? formatQuota(amount, status) : String(amount))
    const typed = values.name.trim()
    // Codes without a name are known by what they are worth, also when that is changed.
    const name = typed === '' || (code && typed === worth(code.quota)) ? worth(quota) : typed
    const fields = { name, quota, expired_time: values.expires ?? 0 }
    if (code) {
      const { name, quota, expired_time } = code
      const body = { id: code.id, ...changedFields({ name, quota, expired_time }, fields) }
      await call(redemptionEndpoints.updateRedemption, { body })
      return undefined
    }
    const codes = await call(redemptionEndpoints.createRedemptions, {
      body: { ...fields, count: Number(values.count) },
    })
    return { name, codes }
  }
  const { told, drawer } = useSaveForm({
    name: 'redemption',
    faults: {
      // A longer one that was moved in is kept.
      ...(isTooLong(values.name.trim()) && values.name.trim() !== code?.name
        ? { name: 'nameLong' as const }
        : {}),
      ...(isWhole(values.quota, 1, 1e15) ? {} : { quota: 'quotaWrong' as const }),
      ...(code || isWhole(values.count, 1, 100) ? {} : { count: 'countWrong' as const }),
    },
    tell: t,
    save,
    said: code ? t('updated') : t('made'),
    refresh: refreshRedemptions,
    keep: saved => {
      setMade(saved)
      return saved !== undefined
    },
  })

  if (made)
    return <CodesDialog title={t('codesMade', { count: made.codes.length })} {...made} close={close} />
  return (
    <FormDrawer
      {...drawer}
      title={code ? t('editTitle') : t('add')}
      changes={draft.changes}
      action={code ? t('action.save') : t('create')}
      onClose={close}
    >
      <TextInput
        id="redemption-name"
        label={t('name')}
        description={code ? undefined : t('nameHelp')}
        data-autofocus
        value={values.name}
        error={told.name}
        onChange={event => set('name', event.currentTarget.value)}
      />
      <QuotaField
        id="redemption-quota"
        label={t('quota')}
        value={values.quota}
        error={told.quota}
        onChange={quota => set('quota', quota)}
      />
      <ExpiryField id="redemption-expires" value={values.expires} onChange={end => set('expires', end)} />
      {!code && (
        <TextInput
          id="redemption-count"
          label={t('count')}
          inputMode="numeric"
          value={values.count}
          error={told.count}
          onChange={event => set('count', event.currentTarget.value)}
        />
      )}
    </FormDrawer>
  )
}

export const addDrawer = createLazyRoute('/redemption/add')({ component: AddCodes })
export const editDrawer = createLazyRoute('/redemption/edit/$id')({ component: EditCode })
