import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  type RedemptionView,
  redemptionEndpoints,
  redemptionStatuses,
} from '../../../contract/redemptions.ts'
import { call } from '../../api.ts'
import { useText } from '../../text.ts'
import { copyText } from '../../ui/content/copy.ts'
import { deleteLater } from '../../ui/layers/delete-later.ts'
import { toast } from '../../ui/layers/toast.ts'
import type { RowAction } from '../../ui/table/column.ts'
import { redemptionText } from './catalogue.ts'
import { refreshRedemptions } from './redemptions-query.ts'

/** What can be done with a code. One that is used can only be looked at and deleted. */
export function useRedemptionActions({ view }: { view(code: RedemptionView): void }) {
  const t = useText(redemptionText)
  const navigate = useNavigate()
  const { mutate: setStatus } = useMutation({
    mutationFn: (body: { id: number; status: number }) =>
      call(redemptionEndpoints.updateRedemption, { query: { status_only: 'true' }, body }),
    onSuccess: () => {
      toast.success(t('done'))
      return refreshRedemptions()
    },
  })
  return (code: RedemptionView): RowAction[] => {
    const isUnused = code.status === redemptionStatuses.unused
    return [
      { id: 'view', label: t('view'), inline: true, act: () => view(code) },
      { id: 'copy', label: t('action.copy'), inline: true, act: () => copyText(code.key) },
      ...(isUnused
        ? [
            {
              id: 'edit',
              label: t('edit'),
              act: () =>
                navigate({ to: '/redemption/edit/$id', params: { id: String(code.id) }, search: true }),
            },
          ]
        : []),
      {
        id: 'toggle',
        label: isUnused ? t('disable') : t('enable'),
        disabled: code.status === redemptionStatuses.used,
        act: () =>
          setStatus({
            id: code.id,
            status: isUnused ? redemptionStatuses.disabled : redemptionStatuses.unused,
          }),
      },
      {
        id: 'delete',
        label: t('delete'),
        destructive: true,
        act: () =>
          deleteLater({
            kind: 'redemption',
            ids: [code.id],
            message: t('deleted', { name: code.name }),
            commit: () => call(redemptionEndpoints.deleteRedemption, { params: { id: code.id } }),
            done: refreshRedemptions,
          }),
      },
    ]
  }
}
