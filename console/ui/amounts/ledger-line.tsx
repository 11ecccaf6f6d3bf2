import { Fragment, type ReactNode } from 'react'
import { type CallCharge, type Charge, type ChargePart, chargeInDollars, formatResult } from './charge.ts'
import styles from './ledger-line.module.css'
import { useLedgerWords } from './ledger-words.ts'

const words = {
  cacheRead: ['cacheRead', 'cacheReadRatio'],
  cacheWrite: ['cacheWrite', 'cacheWriteRatio'],
  cacheWriteHour: ['cacheWriteHour', 'cacheWriteRatio'],
  image: ['image', 'imageRatio'],
  audio: ['audio', 'audioRatio'],
  audioOutput: ['audioOutput', 'audioOutputRatio'],
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
  const t = useLedgerWords()
  const { groupRatio, share, batch } = charge
  const ratios = { groupRatio, share, batch }
  return (
    <p className={small ? `${styles.line} ${styles.small}` : styles.line}>
      {'price' in charge ? <CallTerms {...charge} /> : <TokenTerms {...charge} />}
      {charge.searches && <ExtraTerms {...charge.searches} {...ratios} name={t('searches')} />}
      {charge.tools?.map(tool => (
        <ExtraTerms key={tool.name} {...tool} {...ratios} />
      ))}
      <Sign text="=" />
      <Term value={total ?? formatResult(chargeInDollars(charge))} name={t('cost')} />
    </p>
  )
}

function CallTerms({ price, calls, ...charge }: CallCharge) {
  const t = useLedgerWords()
  return (
    <>
      <Term value={`$${number(price)}`} name={t('price')} />
      {calls !== 1 && <Times value={number(calls)} name={t('calls')} />}
      <RatioTerms {...charge} />
    </>
  )
}

type Ratios = Pick<Charge, 'groupRatio' | 'share' | 'batch'>

/** What stands in every product. */
function RatioTerms({ groupRatio, share, batch }: Ratios) {
  const t = useLedgerWords()
  return (
    <>
      <Times value={number(groupRatio)} name={t('group')} />
      {share !== undefined && <Times value={number(share)} name={t('share')} />}
      {batch !== undefined && <Times value={number(batch)} name={t('batch')} />}
    </>
  )
}

interface ExtraTermsProps extends Ratios {
  name: string
  count: number
  price: number
}

function ExtraTerms({ name, count, price, ...ratios }: ExtraTermsProps) {
  const t = useLedgerWords()
  return (
    <>
      <Sign text="+" />
      <Term value={number(count)} name={name} />
      <Times value={`$${number(price)} ÷ 1,000`} name={t('price')} />
      <RatioTerms {...ratios} />
    </>
  )
}

function TokenTerms({ prompt, completion, completionRatio, parts = [], ...charge }: Charge) {
  const t = useLedgerWords()
  return (
    <>
      <Term value={`(${number(prompt)}`} name={t('prompt')} />
      {parts.map(({ kind, tokens, ratio }) => (
        <Fragment key={kind}>
          <Sign text="+" />
          <Term value={number(tokens)} name={t(words[kind][0])} />
          <Times value={number(ratio)} name={t(words[kind][1])} />
        </Fragment>
      ))}
      <Sign text="+" />
      <Term value={number(completion)} name={t('completion')} />
      <Times value={`${number(completionRatio)})`} name={t('completionRatio')} />
      <Times value={number(charge.modelRatio)} name={t('model')} />
      <RatioTerms {...charge} />
      <Sign text="÷" />
      <Term value={number(charge.quotaPerUnit)} name={t('unit')} />
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
