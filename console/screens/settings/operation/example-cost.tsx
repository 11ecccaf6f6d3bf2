import { useState } from 'react'
import { plainNumber } from '../../../plain-number.ts'
import { useStatus } from '../../../status.ts'
import { useText } from '../../../text.ts'
import { LedgerLine } from '../../../ui/amounts/ledger-line.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { operationText } from './catalogue.ts'
import styles from './operation.module.css'
import { longRatiosOf } from './price-form.ts'
import type { PriceRow } from './price-rows.ts'

/** What a call of so many tokens would cost, before any group's ratio. */
export function ExampleCost({ row }: { row: PriceRow }) {
  const t = useText(operationText)
  const quotaPerUnit = useStatus()?.quota_per_unit
  const [tokens, setTokens] = useState({ prompt: '1000', completion: '500' })
  if (quotaPerUnit === undefined) return null
  const anyhow = { groupRatio: 1, quotaPerUnit, small: true }
  if (row.price !== undefined) return <LedgerLine {...anyhow} price={row.price} calls={1} />
  if (row.ratio === undefined) return null
  const count = (text: string) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined)
  const [prompt, completion] = [count(tokens.prompt), count(tokens.completion)]
  const long = longRatiosOf(row)
  const { ratio, completionRatio } = long && (prompt ?? 0) > long.over ? long : row
  const field = (kind: keyof typeof tokens, label: string) => (
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="off"
      value={tokens[kind]}
      error={count(tokens[kind]) === undefined ? t('inline.whole') : undefined}
      onChange={event => setTokens({ ...tokens, [kind]: plainNumber(event.currentTarget.value) })}
    />
  )
  return (
    <div className={styles.example}>
      <div className={styles.pair}>
        {field('prompt', t('example.prompt'))}
        {field('completion', t('example.completion'))}
      </div>
      {prompt !== undefined && completion !== undefined && (
        <LedgerLine
          {...anyhow}
          prompt={prompt}
          completion={completion}
          completionRatio={completionRatio ?? 1}
          modelRatio={ratio ?? 0}
        />
      )}
    </div>
  )
}
