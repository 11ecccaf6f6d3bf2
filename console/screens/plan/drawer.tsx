import { createLazyRoute } from '@tanstack/react-router'
import { type PlanView, planEndpoints } from '../../../contract/plans.ts'
import { call } from '../../api.ts'
import { changedFields } from '../../changed-fields.ts'
import { planText } from '../../plans/catalogue.ts'
import { refreshPlans } from '../../plans/plans-query.ts'
import { useText } from '../../text.ts'
import { EditDrawer } from '../../ui/layers/edit-drawer.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import { draftOfPlan, faultsOfPlan, fieldsOfPlan } from './plan-draft.ts'
import { PlanFields } from './plan-fields.tsx'

function AddPlan() {
  return <PlanForm plan={undefined} />
}

function EditPlan() {
  const t = useText(planText)
  const { id } = editDrawer.useParams()
  return (
    <EditDrawer
      title={t('editTitle')}
      list="plans"
      id={id}
      read={signal => call(planEndpoints.getPlan, { params: { id }, signal })}
      onClose={useCloseDrawer('/plan')}
      fields={10}
    >
      {plan => <PlanForm key={plan.id} plan={plan} />}
    </EditDrawer>
  )
}

function PlanForm({ plan }: { plan: PlanView | undefined }) {
  const t = useText(planText)
  const close = useCloseDrawer('/plan')
  const draft = useDraft(draftOfPlan(plan), 'plan')
  const { told, drawer } = useSaveForm({
    name: 'plan',
    faults: faultsOfPlan(draft.values),
    tell: ({ word, values }) => t(word, values),
    save: () => {
      const body = fieldsOfPlan(draft.values)
      if (!plan) return call(planEndpoints.createPlan, { body })
      const changes = changedFields(fieldsOfPlan(draftOfPlan(plan)), body)
      return call(planEndpoints.updatePlan, { params: { id: plan.id }, body: changes })
    },
    said: t('saved'),
    refresh: refreshPlans,
  })
  return (
    <FormDrawer
      {...drawer}
      title={plan ? t('editTitle') : t('add')}
      changes={draft.changes}
      action={plan ? t('action.save') : t('create')}
      onClose={close}
    >
      <PlanFields draft={draft} faults={told} />
    </FormDrawer>
  )
}

export const addDrawer = createLazyRoute('/plan/add')({ component: AddPlan })
export const editDrawer = createLazyRoute('/plan/edit/$id')({ component: EditPlan })
