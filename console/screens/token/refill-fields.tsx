import { refillPeriods } from '../../../contract/tokens.ts'
import { useText } from '../../text.ts'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import type { Draft } from '../../ui/layers/use-draft.ts'
import { tokenText } from './catalogue.ts'
import styles from './token.module.css'
import type { TokenDraft } from './token-draft.ts'

const words = {
  none: 'refill.none',
  day: 'refill.day',
  week: 'refill.week',
  month: 'refill.month',
} as const

interface RefillFieldsProps {
  draft: Draft<TokenDraft>
  fault: string | undefined
}

/** How often the quota renews itself, and to how much: at first to what there is. */
export function RefillFields({ draft: { values, set }, fault }: RefillFieldsProps) {
  const t = useText(tokenText)
  const renews = values.refill !== 'none'
  return (
    <div className={styles.refill}>
      <SelectField
        id="token-refill"
        label={t('refill')}
        searchable={false}
        data={refillPeriods.map(value => ({ value, label: t(words[value]) }))}
        value={values.refill}
        onChange={chosen => {
          const refill = refillPeriods.find(period => period === chosen) ?? 'none'
          set('refill', refill)
          if (refill === 'none') set('refillQuota', '0')
          else if (!renews) set('refillQuota', values.quota)
        }}
      />
      {renews && (
        <QuotaField
          id="token-refillQuota"
          label={t('refillQuota')}
          bare
          value={values.refillQuota}
          error={fault}
          onChange={quota => set('refillQuota', quota)}
        />
      )}
      {renews && <p className={styles.refillHelp}>{t('refillHelp')}</p>}
    </div>
  )
}
