import { useMutation } from '@tanstack/react-query'
import { createLazyRoute, Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type PlanView, planEndpoints } from '../../../contract/plans.ts'
import { call } from '../../api.ts'
import { planText } from '../../plans/catalogue.ts'
import { refreshPlans } from '../../plans/plans-query.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { deleteLater } from '../../ui/layers/delete-later.ts'
import { toast } from '../../ui/layers/toast.ts'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import { useListPage } from '../../ui/lists/use-list-page.ts'
import type { RowAction } from '../../ui/table/column.ts'
import { useStable } from '../../ui/use-stable.ts'
import { planColumns } from './columns.tsx'

function Plans() {
  const t = useText(planText)
  const status = useStatus()
  const search = screen.useSearch()
  const navigate = useNavigate()
  const list = useListPage({
    key: ['plans'],
    search,
    filters: [],
    read: (query, signal) => call(planEndpoints.listPlans, { query, signal }),
    show: next => navigate({ to: '/plan', search: next }),
    deleting: 'plan',
  })
  const { mutate: sell } = useMutation({
    mutationFn: ({ id, on_sale }: PlanView) =>
      call(planEndpoints.updatePlan, { params: { id }, body: { on_sale: !on_sale } }),
    onSuccess: () => {
      toast.success(t('done'))
      return refreshPlans()
    },
  })
  const open = ({ id }: PlanView) =>
    navigate({ to: '/plan/edit/$id', params: { id: String(id) }, search: true })
  const openPlan = useStable(open)
  const columns = useMemo(() => planColumns(t, status, openPlan), [t, status, openPlan])
  const actions = (plan: PlanView): RowAction[] => [
    { id: 'edit', label: t('edit'), inline: true, act: () => open(plan) },
    { id: 'sell', label: plan.on_sale ? t('takeOff') : t('putOn'), act: () => sell(plan) },
    {
      id: 'delete',
      label: t('delete'),
      destructive: true,
      act: () =>
        deleteLater({
          kind: 'plan',
          ids: [plan.id],
          message: t('deleted', { name: plan.title }),
          commit: () => call(planEndpoints.deletePlan, { params: { id: plan.id } }),
          done: refreshPlans,
        }),
    },
  ]
  return (
    <ListScreen
      name="plan"
      title={t('title')}
      list={list}
      columns={columns}
      rowName={({ title }) => title}
      actions={actions}
      muted={({ on_sale }) => !on_sale}
      onOpen={open}
      filters={[]}
      add={{ label: t('add'), first: t('add'), act: () => navigate({ to: '/plan/add', search: true }) }}
      empty={{ noMatches: '', none: t('none'), noneLead: t('noneLead') }}
    >
      <Outlet />
    </ListScreen>
  )
}

export const screen = createLazyRoute('/plan')({ component: Plans })
