import { useQuery } from '@tanstack/react-query'
import { durationUnits, planPeriods } from '../../../contract/plans.ts'
import { groupsQuery } from '../../groups-query.ts'
import { planText } from '../../plans/catalogue.ts'
import { durationText, periodWords } from '../../plans/plan-words.ts'
import { spendingText } from '../../spending/catalogue.ts'
import { useText } from '../../text.ts'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import { FieldGroup } from '../../ui/fields/field-group.tsx'
import { TextInput } from '../../ui/fields/fields.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import { SwitchField } from '../../ui/fields/switch-field.tsx'
import type { Draft } from '../../ui/layers/use-draft.ts'
import styles from './plan.module.css'
import type { PlanDraft } from './plan-draft.ts'

interface PlanFieldsProps {
  draft: Draft<PlanDraft>
  faults: Partial<Record<keyof PlanDraft, string>>
}

export function PlanFields(form: PlanFieldsProps) {
  const t = useText(planText)
  const groups = useQuery(groupsQuery).data ?? []
  const {
    draft: { values, set },
    faults,
  } = form
  const text = (field: 'title' | 'note' | 'duration' | 'mostEach' | 'position', label: string) => (
    <TextInput
      id={`plan-${field}`}
      label={label}
      required={field === 'title'}
      data-autofocus={field === 'title' || undefined}
      maxLength={field === 'note' ? 200 : 60}
      inputMode={field === 'title' || field === 'note' ? 'text' : 'numeric'}
      value={values[field]}
      error={faults[field]}
      onChange={event => set(field, event.currentTarget.value)}
    />
  )
  return (
    <>
      {text('title', t('name'))}
      {text('note', t('note'))}
      <QuotaField
        id="plan-price"
        label={t('price')}
        value={values.price}
        error={faults.price}
        onChange={price => set('price', price)}
      />
      <div className={styles.two}>
        {text('duration', t('duration'))}
        <UnitField {...form} />
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
        error={faults.quota}
        onChange={quota => set('quota', quota)}
      />
      <LimitFields {...form} />
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
    </>
  )
}

/** Of what the duration is a number. */
function UnitField({ draft: { values, set } }: PlanFieldsProps) {
  const t = useText(planText)
  // Of what is no number there are several.
  const duration = Number(values.duration) === 1 ? 1 : 2
  return (
    <SelectField
      id="plan-unit"
      label={'\u00a0'}
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
  )
}

/** How much of it may be spent at once, while the plan runs. */
function LimitFields({ draft: { values, set }, faults }: PlanFieldsProps) {
  const spending = useText(spendingText)
  return (
    <FieldGroup legend={spending('title')}>
      <p className={styles.help}>{spending('whilePlan')}</p>
      <div className={styles.two}>
        <QuotaField
          id="plan-fiveHourQuota"
          label={spending('five-hours')}
          bare
          value={values.fiveHourQuota}
          error={faults.fiveHourQuota}
          onChange={quota => set('fiveHourQuota', quota)}
        />
        <QuotaField
          id="plan-weekQuota"
          label={spending('seven-days')}
          bare
          value={values.weekQuota}
          error={faults.weekQuota}
          onChange={quota => set('weekQuota', quota)}
        />
      </div>
    </FieldGroup>
  )
}
