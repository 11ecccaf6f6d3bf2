import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import { type Charge, chargeInDollars, formatSmallDollars } from './charge.ts'
import styles from './ledger-line.module.css'

/** Any charge as arithmetic, so that nobody has to ask how it came about. */
export function LedgerLine(charge: Charge) {
  const t = useText(shellText)
  const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 6 })
  return (
    <p className={styles.line}>
      <Term value={`(${number(charge.prompt)}`} name={t('ledger.prompt')} />
      <Sign text="+" />
      <Term value={number(charge.completion)} name={t('ledger.completion')} />
      <Sign text="×" />
      <Term value={`${number(charge.completionRatio)})`} name={t('ledger.completionRatio')} />
      <Sign text="×" />
      <Term value={number(charge.modelRatio)} name={t('ledger.model')} />
      <Sign text="×" />
      <Term value={number(charge.groupRatio)} name={t('ledger.group')} />
      <Sign text="÷" />
      <Term value={number(charge.quotaPerUnit)} name={t('ledger.unit')} />
      <Sign text="=" />
      <Term value={formatSmallDollars(chargeInDollars(charge))} name={t('ledger.cost')} />
    </p>
  )
}

function Term({ value, name }: { value: string; name: string }) {
  return (
    <span className={styles.term}>
      <span className={styles.value}>{value}</span> <span className={styles.name}>{name}</span>
    </span>
  )
}

function Sign({ text }: { text: string }) {
  return <span className={styles.sign}> {text} </span>
}
