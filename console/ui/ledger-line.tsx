import { Fragment, type ReactNode } from 'react'
import { shellText } from '../locales/catalogue.ts'
import { useText } from '../text.ts'
import {
  type CallCharge,
  type Charge,
  type ChargePart,
  chargeInDollars,
  formatSmallDollars,
} from './charge.ts'
import styles from './ledger-line.module.css'

const words = {
  cacheRead: ['ledger.cacheRead', 'ledger.cacheReadRatio'],
  cacheWrite: ['ledger.cacheWrite', 'ledger.cacheWriteRatio'],
  cacheWriteHour: ['ledger.cacheWriteHour', 'ledger.cacheWriteRatio'],
  image: ['ledger.image', 'ledger.imageRatio'],
  audio: ['ledger.audio', 'ledger.audioRatio'],
  audioOutput: ['ledger.audioOutput', 'ledger.audioOutputRatio'],
} as const satisfies Record<ChargePart['kind'], readonly [string, string]>

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
const number = (value: number) => numbers.format(value)

type LedgerLineProps = (Charge | CallCharge) & {
  /** What was charged by the books, where that is known; else the arithmetic's own result is shown. */
  total?: string
  /** Among other things, rather than by itself. */
  small?: boolean
}

/** Any charge as arithmetic, so that nobody has to ask how it came about. */
export function LedgerLine({ total, small, ...charge }: LedgerLineProps) {
  const t = useText(shellText)
  return (
    <p className={small ? `${styles.line} ${styles.small}` : styles.line}>
      {'price' in charge ? <CallTerms {...charge} /> : <TokenTerms {...charge} />}
      {charge.searches && (
        <ExtraTerms {...charge.searches} name={t('ledger.searches')} groupRatio={charge.groupRatio} />
      )}
      {charge.tools?.map(tool => (
        <ExtraTerms key={tool.name} {...tool} groupRatio={charge.groupRatio} />
      ))}
      <Sign text="=" />
      <Term value={total ?? formatSmallDollars(chargeInDollars(charge))} name={t('ledger.cost')} />
    </p>
  )
}

function CallTerms({ price, calls, groupRatio }: CallCharge) {
  const t = useText(shellText)
  return (
    <>
      <Term value={`$${number(price)}`} name={t('ledger.price')} />
      {calls !== 1 && <Times value={number(calls)} name={t('ledger.calls')} />}
      <Times value={number(groupRatio)} name={t('ledger.group')} />
    </>
  )
}

interface ExtraTermsProps {
  name: string
  count: number
  price: number
  groupRatio: number
}

function ExtraTerms({ name, count, price, groupRatio }: ExtraTermsProps) {
  const t = useText(shellText)
  return (
    <>
      <Sign text="+" />
      <Term value={number(count)} name={name} />
      <Times value={`$${number(price)} ÷ 1,000`} name={t('ledger.price')} />
      <Times value={number(groupRatio)} name={t('ledger.group')} />
    </>
  )
}

function TokenTerms({ prompt, completion, completionRatio, parts = [], ...charge }: Charge) {
  const t = useText(shellText)
  return (
    <>
      <Term value={`(${number(prompt)}`} name={t('ledger.prompt')} />
      {parts.map(({ kind, tokens, ratio }) => (
        <Fragment key={kind}>
          <Sign text="+" />
          <Term value={number(tokens)} name={t(words[kind][0])} />
          <Times value={number(ratio)} name={t(words[kind][1])} />
        </Fragment>
      ))}
      <Sign text="+" />
      <Term value={number(completion)} name={t('ledger.completion')} />
      <Times value={`${number(completionRatio)})`} name={t('ledger.completionRatio')} />
      <Times value={number(charge.modelRatio)} name={t('ledger.model')} />
      <Times value={number(charge.groupRatio)} name={t('ledger.group')} />
      <Sign text="÷" />
      <Term value={number(charge.quotaPerUnit)} name={t('ledger.unit')} />
    </>
  )
}

function Times({ value, name }: { value: string; name: string }): ReactNode {
  return (
    <>
      <Sign text="×" />
      <Term value={value} name={name} />
    </>
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
