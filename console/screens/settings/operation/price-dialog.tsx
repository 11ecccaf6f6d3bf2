import { useState } from 'react'
import { formatCount } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { operationText } from './catalogue.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { ExampleCost } from './example-cost.tsx'
import styles from './operation.module.css'
import {
  formatDollars,
  LONG_INPUT,
  longRatiosOf,
  type PriceField,
  pricePerMillion,
  readForm,
  textsOf,
} from './price-form.ts'
import type { PriceRow } from './price-rows.ts'

const labels = {
  name: 'field.name',
  price: 'field.price',
  ratio: 'field.ratio',
  completionRatio: 'field.completionRatio',
  longInputFrom: 'field.longInputFrom',
  longInputRatio: 'field.longInputRatio',
  longOutputRatio: 'field.longOutputRatio',
} as const

const words = {
  nameRequired: 'fault.nameRequired',
  nameTaken: 'fault.nameTaken',
  nameWrong: 'fault.nameWrong',
  number: 'fault.number',
  whole: 'inline.whole',
  figureRequired: 'fault.figureRequired',
} as const

interface PriceDialogProps {
  /** Undefined for a new one. */
  row: PriceRow | undefined
  /** What a new one may be called. */
  suggested: string
  /** The names of the other models. */
  taken: ReadonlySet<string>
  onApply(row: PriceRow): void
  onClose(): void
}

/** One model's price. What it becomes is saved with the section. */
export default function PriceDialog({ row: former, suggested, taken, onApply, onClose }: PriceDialogProps) {
  const t = useText(operationText)
  const [texts, setTexts] = useState(() =>
    former ? textsOf(former) : { ...textsOf(former), name: suggested },
  )
  const [tried, setTried] = useState(false)
  const { row, faults } = readForm(texts, taken)
  const byCall = texts.price.trim() !== ''
  const apply = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) onApply(row)
  }
  const field = (name: PriceField) => {
    const fault = faults[name]
    const isShown = fault && (tried || fault === 'number' || fault === 'whole' || fault === 'nameTaken')
    return {
      name,
      label: t(labels[name]),
      value: texts[name],
      error: isShown ? t(words[fault]) : undefined,
      autoComplete: 'off',
      spellCheck: false,
      onChange: (event: { currentTarget: { value: string } }) =>
        setTexts({ ...texts, [name]: event.currentTarget.value }),
    }
  }
  const { name: _, ...figureFaults } = faults
  const isReckoned = Object.keys(figureFaults).length === 0
  const cost = isReckoned ? pricePerMillion(row) : undefined
  const long = isReckoned ? longRatiosOf(row) : undefined
  const longCost = long && pricePerMillion(long)
  return (
    <EntryDialog
      title={former ? t('dialog.edit', { name: former.name }) : t('ratio.add')}
      onApply={apply}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus={former || suggested !== '' ? undefined : true} />
      <TextInput
        {...field('price')}
        data-autofocus={(former ? former.price !== undefined : suggested !== '') || undefined}
        inputMode="decimal"
        description={t('field.priceHelp')}
      />
      <div className={styles.pair}>
        <TextInput
          {...field('ratio')}
          data-autofocus={(former && former.price === undefined) || undefined}
          inputMode="decimal"
          disabled={byCall}
        />
        <TextInput {...field('completionRatio')} inputMode="decimal" disabled={byCall} placeholder="1" />
      </div>
      <div className={styles.three}>
        <TextInput
          {...field('longInputFrom')}
          inputMode="numeric"
          disabled={byCall}
          placeholder={String(LONG_INPUT)}
        />
        <TextInput {...field('longInputRatio')} inputMode="decimal" disabled={byCall} placeholder="1" />
        <TextInput
          {...field('longOutputRatio')}
          inputMode="decimal"
          disabled={byCall}
          placeholder={texts.longInputRatio.trim() || '1'}
        />
      </div>
      <p className={styles.cost} aria-live="polite">
        {byCall && row.price !== undefined && t('cost.call', { price: formatDollars(row.price) })}
        {!byCall &&
          cost &&
          t('cost.tokens', {
            prompt: formatDollars(cost.prompt),
            completion: formatDollars(cost.completion),
          })}
        {longCost && (
          <span>
            {t('cost.long', {
              tokens: formatCount(long.over),
              prompt: formatDollars(longCost.prompt),
              completion: formatDollars(longCost.completion),
            })}
          </span>
        )}
      </p>
      {isReckoned && <ExampleCost row={row} />}
    </EntryDialog>
  )
}
