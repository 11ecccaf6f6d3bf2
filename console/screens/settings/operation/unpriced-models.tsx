import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Callout } from '../../../ui/content/callout.tsx'
import { QuickChoices } from '../../../ui/fields/quick-choices.tsx'
import { unpricedQuery, useUnpricedText } from '../../../unpriced.ts'
import styles from './operation.module.css'

const SHOWN = 12

interface UnpricedModelsProps {
  /** Those that have a price in the draft. */
  priced: ReadonlySet<string>
  setPrice(model: string): void
}

/** What enabled channels offer and nobody has priced: a click on a name begins its price. */
export function UnpricedModels({ priced, setPrice }: UnpricedModelsProps) {
  const text = useUnpricedText()
  const { data = [] } = useQuery(unpricedQuery())
  const [isWhole, setWhole] = useState(false)
  const names = data.filter(name => !priced.has(name))
  if (names.length === 0) return null
  const shown = isWhole ? names : names.slice(0, SHOWN)
  return (
    <Callout>
      <p>{text('offered', { count: names.length })}</p>
      <div className={styles.unpriced}>
        <QuickChoices
          label={text('set')}
          choices={[
            ...shown.map(name => ({ label: name, choose: () => setPrice(name) })),
            ...(shown.length < names.length
              ? [{ label: text('all', { count: names.length }), choose: () => setWhole(true) }]
              : []),
          ]}
        />
      </div>
    </Callout>
  )
}
