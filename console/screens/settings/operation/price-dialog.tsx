import { Button } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { shellText } from '../../../locales/catalogue.ts'
import { useText } from '../../../text.ts'
import dialogStyles from '../../../ui/dialog.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextInput } from '../../../ui/fields.tsx'
import { operationText } from './catalogue.ts'
import styles from './operation.module.css'
import { formatFigure, type PriceField, pricePerMillion, readForm, textsOf } from './price-form.ts'
import type { PriceRow } from './price-rows.ts'

const labels = {
  name: 'field.name',
  price: 'field.price',
  ratio: 'field.ratio',
  completionRatio: 'field.completionRatio',
} as const

const words = {
  nameRequired: 'fault.nameRequired',
  nameTaken: 'fault.nameTaken',
  nameWrong: 'fault.nameWrong',
  number: 'fault.number',
  figureRequired: 'fault.figureRequired',
} as const

interface PriceDialogProps {
  /** Undefined for a new one. */
  row: PriceRow | undefined
  /** The names of the other models. */
  taken: ReadonlySet<string>
  onApply(row: PriceRow): void
  onClose(): void
}

/** One model's price. What it becomes is saved with the section. */
export default function PriceDialog({ row: former, taken, onApply, onClose }: PriceDialogProps) {
  const t = useText(operationText)
  const shell = useText(shellText)
  const [texts, setTexts] = useState(() => textsOf(former))
  const [tried, setTried] = useState(false)
  const { row, faults } = readForm(texts, taken)
  const byCall = texts.price.trim() !== ''
  const apply = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) onApply(row)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog is drawn elsewhere, yet to React it is inside the section, which would save.
    event.stopPropagation()
    apply()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    event.stopPropagation()
    apply()
  }
  const field = (name: PriceField) => {
    const fault = faults[name]
    const isShown = fault && (tried || fault === 'number' || fault === 'nameTaken')
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
  const cost = faults.ratio || faults.completionRatio ? undefined : pricePerMillion(row)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={former ? t('dialog.edit', { name: former.name }) : t('ratio.add')}
      size={440}
    >
      <form className={styles.form} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
        <TextInput {...field('name')} data-autofocus={former ? undefined : true} />
        <TextInput {...field('price')} inputMode="decimal" description={t('field.priceHelp')} />
        <div className={styles.pair}>
          <TextInput {...field('ratio')} inputMode="decimal" disabled={byCall} />
          <TextInput {...field('completionRatio')} inputMode="decimal" disabled={byCall} placeholder="1" />
        </div>
        <p className={styles.cost} aria-live="polite">
          {byCall && row.price !== undefined && t('cost.call', { price: `$${formatFigure(row.price)}` })}
          {!byCall &&
            cost &&
            t('cost.tokens', {
              prompt: `$${formatFigure(cost.prompt)}`,
              completion: `$${formatFigure(cost.completion)}`,
            })}
        </p>
        <div className={dialogStyles.actions}>
          <Button variant="default" onClick={onClose}>
            {shell('action.cancel')}
          </Button>
          <Button type="submit">{t('dialog.apply')}</Button>
        </div>
      </form>
    </Dialog>
  )
}
