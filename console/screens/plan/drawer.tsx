import { useQuery } from '@tanstack/react-query'
import { createLazyRoute } from '@tanstack/react-router'
import { durationUnits, type PlanView, planEndpoints, planPeriods } from '../../../contract/plans.ts'
import { call } from '../../api.ts'
import { groupsQuery } from '../../groups-query.ts'
import { planText } from '../../plans/catalogue.ts'
import { durationText, periodWords } from '../../plans/plan-words.ts'
import { refreshPlans } from '../../plans/plans-query.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { useText } from '../../text.ts'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import { FieldGroup } from '../../ui/fields/field-group.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import { SwitchField } from '../../ui/fields/switch-field.tsx'
import { EditDrawer } from '../../ui/layers/edit-drawer.tsx'
import { FormDrawer } from '../../ui/layers/form-drawer.tsx'
import { useCloseDrawer } from '../../ui/layers/use-close-drawer.ts'
import { useDraft } from '../../ui/layers/use-draft.ts'
import { useSaveForm } from '../../ui/layers/use-save-form.ts'
import styles from './plan.module.css'
import { draftOfPlan, faultsOfPlan, fieldsOfPlan, type PlanDraft } from './plan-draft.ts'

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
  const spending = useText(spendingText)
  const close = useCloseDrawer('/plan')
  const groups = useQuery(groupsQuery).data ?? []
  const draft = useDraft(draftOfPlan(plan), 'plan')
  const { values, set } = draft
  const { told, drawer } = useSaveForm({
    name: 'plan',
    faults: faultsOfPlan(values),
    tell: t,
    save: () => {
      const body = fieldsOfPlan(values)
      return plan
        ? call(planEndpoints.updatePlan, { params: { id: plan.id }, body })
        : call(planEndpoints.createPlan, { body })
    },
    said: t('saved'),
    refresh: refreshPlans,
  })
  const text = (field: 'title' | 'note' | 'duration' | 'mostEach' | 'position', label: string) => (
    <TextInput
      id={`plan-${field}`}
      label={label}
      required={field === 'title'}
      data-autofocus={field === 'title' || undefined}
      maxLength={field === 'note' ? 200 : 60}
      inputMode={field === 'title' || field === 'note' ? 'text' : 'numeric'}
      value={values[field]}
      error={told[field]}
      onChange={event => set(field, event.currentTarget.value)}
    />
  )
  const duration = Number(values.duration) || 0
  return (
    <FormDrawer
      {...drawer}
      title={plan ? t('editTitle') : t('add')}
      changes={draft.changes}
      action={plan ? t('action.save') : t('create')}
      onClose={close}
    >
      {text('title', t('name'))}
      {text('note', t('note'))}
      <QuotaField
        id="plan-price"
        label={t('price')}
        value={values.price}
        error={told.price}
        onChange={price => set('price', price)}
      />
      <div className={styles.two}>
        {text('duration', t('duration'))}
        <SelectField
          id="plan-unit"
          label={' '}
          aria-label={t('duration')}
          searchable={false}
          data={durationUnits.map(unit => ({
            value: unit,
            // The number stands beside it.
            label: durationText(t, { duration, duration_unit: unit }).replace(/[\d,]+\s*/, ''),
          }))}
          value={values.unit}
          onChange={unit => set('unit', unit as PlanDraft['unit'])}
        />
      </div>
      <SelectField
        id="plan-period"
        label={t('period')}
        searchable={false}
        data={planPeriods.map(period => ({ value: period, label: t(periodWords[period]) }))}
        value={values.period}
        onChange={period => set('period', period as PlanDraft['period'])}
      />
      <QuotaField
        id="plan-quota"
        label={t('quota')}
        value={values.quota}
        error={told.quota}
        onChange={quota => set('quota', quota)}
      />
      <FieldGroup legend={spending('title')}>
        <p className={styles.help}>{spending('whilePlan')}</p>
        <div className={styles.two}>
          <QuotaField
            id="plan-fiveHourQuota"
            label={spending('five-hours')}
            bare
            value={values.fiveHourQuota}
            error={told.fiveHourQuota}
            onChange={quota => set('fiveHourQuota', quota)}
          />
          <QuotaField
            id="plan-weekQuota"
            label={spending('seven-days')}
            bare
            value={values.weekQuota}
            error={told.weekQuota}
            onChange={quota => set('weekQuota', quota)}
          />
        </div>
      </FieldGroup>
      <SelectField
        id="plan-group"
        label={t('group')}
        clearable
        data={[...new Set([...groups, values.group])].filter(name => name !== '')}
        value={values.group || null}
        onChange={group => set('group', group ?? '')}
      />
      <div className={styles.two}>
        {text('mostEach', t('mostEach'))}
        {text('position', t('position'))}
      </div>
      <SwitchField
        label={t('onSale')}
        checked={values.onSale}
        onChange={event => set('onSale', event.currentTarget.checked)}
      />
    </FormDrawer>
  )
}

export const addDrawer = createLazyRoute('/plan/add')({ component: AddPlan })
export const editDrawer = createLazyRoute('/plan/edit/$id')({ component: EditPlan })
