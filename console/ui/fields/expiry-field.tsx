import { Suspense } from 'react'
import { formatTime } from '../../format.ts'
import { listText } from '../../lists/catalogue.ts'
import { useText } from '../../text.ts'
import { lazyPart } from '../page/lazy-part.ts'
import { TextInput } from './fields.tsx'
import { QuickChoices } from './quick-choices.tsx'

const DateTimeField = lazyPart(() => import('./date-time-field.tsx'))

const HOUR = 3600
const spans = [
  { id: 'oneHour', seconds: HOUR },
  { id: 'oneDay', seconds: 24 * HOUR },
  { id: 'oneMonth', seconds: 30 * 24 * HOUR },
] as const

interface ExpiryFieldProps {
  id: string
  /** In seconds; undefined for never. */
  value: number | undefined
  error?: string | undefined
  onChange(end: number | undefined): void
}

/** When something ends. */
export function ExpiryField({ id, value, error, onChange }: ExpiryFieldProps) {
  const t = useText(listText)
  return (
    <div>
      <Suspense
        fallback={
          // It says already what it will: "never" would be another end.
          <TextInput
            label={t('expiry')}
            placeholder={t('never')}
            value={value === undefined ? '' : formatTime(value)}
            disabled
            data-loading
          />
        }
      >
        <DateTimeField
          id={id}
          label={t('expiry')}
          placeholder={t('never')}
          value={value}
          error={error}
          onChange={onChange}
        />
      </Suspense>
      <QuickChoices
        label={t('expiry')}
        choices={[
          { label: t('never'), active: value === undefined, choose: () => onChange(undefined) },
          ...spans.map(({ id: span, seconds }) => ({
            label: t(span),
            choose: () => onChange(Math.floor(Date.now() / 1000) + seconds),
          })),
        ]}
      />
    </div>
  )
}
