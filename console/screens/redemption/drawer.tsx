import { useMutation, useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type RedemptionView, redemptionEndpoints } from '../../../contract/redemptions.ts'
import { call } from '../../api.ts'
import { formatQuota } from '../../quota.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { TextInput } from '../../ui/fields.tsx'
import { FormDrawer } from '../../ui/form-drawer.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { QuotaField } from '../../ui/quota-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { redemptionText } from './catalogue.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { refreshRedemptions } from './redemptions-query.ts'

function AddDrawer() {
  return <RedemptionForm code={undefined} />
}

function EditDrawer() {
  const t = useText(redemptionText)
  const { id } = editDrawer.useParams()
  const close = useClose()
  const { data, error, refetch } = useQuery({
    queryKey: ['redemptions', 'one', id],
    queryFn: ({ signal }) => call(redemptionEndpoints.getRedemption, { params: { id }, signal }),
    gcTime: 0,
  })
  if (data) return <RedemptionForm key={data.id} code={data} />
  return (
    <FormDrawer title={t('editTitle')} changes={0} onSave={async () => false} onClose={close}>
      {error ? <LoadFailure error={error} retry={refetch} /> : <Skeleton rows={3} />}
    </FormDrawer>
  )
}

function useClose() {
  const navigate = useNavigate()
  return () => {
    navigate({ to: '/redemption', search: true }).catch(() => {})
  }
}

const isWhole = (text: string, least: number, most: number) =>
  /^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most

function RedemptionForm({ code }: { code: RedemptionView | undefined }) {
  const t = useText(redemptionText)
  const status = useStatus()
  const close = useClose()
  const draft = useDraft({ name: code?.name ?? '', quota: String(code?.quota ?? 100_000), count: '1' })
  const { values, set } = draft
  const [tried, setTried] = useState(false)
  const [made, setMade] = useState<{ name: string; codes: readonly string[] }>()
  const faults = {
    ...(isWhole(values.quota, 1, 1e15) ? {} : { quota: t('quotaWrong') }),
    ...(code || isWhole(values.count, 1, 100) ? {} : { count: t('countWrong') }),
  }
  const shownFaults: Partial<Record<'quota' | 'count', string>> = tried ? faults : {}
  const { mutateAsync } = useMutation({
    mutationFn: async () => {
      const quota = Number(values.quota)
      // Codes without a name are known by what they are worth.
      const name = values.name.trim() || (status ? formatQuota(quota, status) : values.quota)
      if (code) {
        await call(redemptionEndpoints.updateRedemption, { body: { id: code.id, name, quota } })
        return undefined
      }
      const codes = await call(redemptionEndpoints.createRedemptions, {
        body: { name, quota, count: Number(values.count) },
      })
      return { name, codes }
    },
  })

  const onSave = async () => {
    setTried(true)
    if (Object.keys(faults).length > 0) return false
    const result = await mutateAsync()
    toast.success(code ? t('updated') : t('created'))
    await refreshRedemptions()
    setMade(result)
    return result === undefined
  }

  if (made)
    return <CodesDialog title={t('codesMade', { count: made.codes.length })} {...made} close={close} />
  return (
    <FormDrawer
      title={code ? t('editTitle') : t('addTitle')}
      changes={draft.changes}
      action={code ? t('save') : t('create')}
      faults={Object.entries(shownFaults).map(([field, message]) => ({
        field: `redemption-${field}`,
        message,
      }))}
      onSave={onSave}
      onClose={close}
    >
      <TextInput
        id="redemption-name"
        label={t('name')}
        description={code ? undefined : t('nameHelp')}
        maxLength={20}
        data-autofocus
        value={values.name}
        onChange={event => set('name', event.currentTarget.value)}
      />
      <QuotaField
        id="redemption-quota"
        label={t('quota')}
        value={values.quota}
        error={shownFaults.quota}
        onChange={quota => set('quota', quota)}
      />
      {!code && (
        <TextInput
          id="redemption-count"
          label={t('count')}
          inputMode="numeric"
          value={values.count}
          error={shownFaults.count}
          onChange={event => set('count', event.currentTarget.value)}
        />
      )}
    </FormDrawer>
  )
}

export const addDrawer = createLazyRoute('/redemption/add')({ component: AddDrawer })
export const editDrawer = createLazyRoute('/redemption/edit/$id')({ component: EditDrawer })
