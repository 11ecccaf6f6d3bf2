import { TextInput } from '@mantine/core'
import { formatQuota, quotaPresets } from '../quota.ts'
import { useStatus } from '../status.ts'
import { QuickChoices } from './quick-choices.tsx'
import styles from './quota-field.module.css'

interface QuotaFieldProps {
  id: string
  label: string
  /** As typed: whole units. */
  value: string
  disabled?: boolean
  error?: string | undefined
  description?: string
  onChange(value: string): void
}

/** An amount in units, with what it is worth beside it and the usual amounts a click away. */
export function QuotaField({ id, label, value, disabled, error, description, onChange }: QuotaFieldProps) {
  const status = useStatus()
  const amount = /^-?\d+$/.test(value.trim()) ? Number(value) : undefined
  const worth =
    amount !== undefined && status ? formatQuota(amount, { ...status, display_in_currency: true }) : ''
  return (
    <div>
      <TextInput
        id={id}
        label={label}
        description={description}
        inputMode="numeric"
        value={value}
        disabled={disabled}
        error={error}
        rightSection={<span className={styles.worth}>{worth}</span>}
        rightSectionWidth={worth.length * 8 + 20}
        rightSectionPointerEvents="none"
        onChange={event => onChange(event.currentTarget.value)}
      />
      <QuickChoices
        label={label}
        disabled={disabled === true}
        choices={quotaPresets.map(preset => ({
          label: preset.label,
          active: amount === preset.quota,
          choose: () => onChange(String(preset.quota)),
        }))}
      />
    </div>
  )
}
