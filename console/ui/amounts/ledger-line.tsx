import { Fragment } from 'react'
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
      <Step sign="=" value={total ?? formatResult(chargeInDollars(charge))} name={t('cost')} />
    </p>
  )
}

function CallTerms({ price, calls, ...charge }: CallCharge) {
  const t = useLedgerWords()
  return (
    <>
      <Term value={`$${number(price)}`} name={t('price')} />
      {calls !== 1 && <Step sign="×" value={number(calls)} name={t('calls')} />}
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
      <Step sign="×" value={number(groupRatio)} name={t('group')} />
      {share !== undefined && <Step sign="×" value={number(share)} name={t('share')} />}
      {batch !== undefined && <Step sign="×" value={number(batch)} name={t('batch')} />}
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
      <Step sign="+" value={number(count)} name={name} />
      <Step sign="×" value={`$${number(price)} ÷ 1,000`} name={t('price')} />
      <RatioTerms {...ratios} />
    </>
  )
}

function TokenTerms({ prompt, completion, completionRatio, parts = [], ...charge }: Charge) {
  const t = useLedgerWords()
  const isAlone = completion === 0 && parts.length === 0
  return (
    <>
      <Term value={isAlone ? number(prompt) : `(${number(prompt)}`} name={t('prompt')} />
      {parts.map(({ kind, tokens, ratio }) => (
        <Fragment key={kind}>
          <Step sign="+" value={number(tokens)} name={t(words[kind][0])} />
          <Step sign="×" value={number(ratio)} name={t(words[kind][1])} />
        </Fragment>
      ))}
      {!isAlone && (
        <>
          <Step sign="+" value={number(completion)} name={t('completion')} />
          <Step sign="×" value={`${number(completionRatio)})`} name={t('completionRatio')} />
        </>
      )}
      <Step sign="×" value={number(charge.modelRatio)} name={t('model')} />
      <RatioTerms {...charge} />
      <Step sign="÷" value={number(charge.quotaPerUnit)} name={t('unit')} />
    </>
  )
}

/** A line that is too long breaks before a sign: it is read with what follows. */
function Step({ sign, value, name }: { sign: '+' | '×' | '÷' | '='; value: string; name: string }) {
  return (
    <span className={styles.step}>
      <span className={styles.sign}> {sign} </span>
      <Term value={value} name={name} />
    </span>
  )
}

function Term({ value, name }: { value: string; name: string }) {
  return (
    <span className={styles.term}>
      <span className={styles.value}>{value}</span> <span className={styles.name}>{name}</span>
    </span>
  )
}
