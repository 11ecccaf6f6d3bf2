import { TextInput } from '@mantine/core'
import { plainNumber } from '../../plain-number.ts'
import { formatQuota } from '../../quota.ts'
import { useStatus } from '../../status.ts'
import { QuickChoices } from './quick-choices.tsx'
import styles from './quota-field.module.css'

/** The amounts that forms offer, in dollars: how much quota that is, the operator says. */
const usualAmounts = [1, 10, 50, 100, 500, 1000] as const

interface QuotaFieldProps {
  id?: string
  name?: string
  label: string
  /** As typed: whole units. */
  value: string
  disabled?: boolean
  error?: string | undefined
  description?: string | undefined
  placeholder?: string
  /** Without the usual amounts. */
  bare?: boolean
  /** Behind the point of what it is worth: more of them where amounts are small. */
  digits?: number
  onChange(value: string): void
  /** Given where the usual amounts are added to what there is. */
  onAdd?(quota: number): void
}

/** An amount in units, with what it is worth beside it and the usual amounts a click away. */
export function QuotaField(props: QuotaFieldProps) {
  const { id, name, label, value, disabled, error, description, placeholder } = props
  const { bare, digits, onChange, onAdd } = props
  const status = useStatus()
  const amount = /^-?\d+$/.test(value.trim()) ? Number(value) : undefined
  const worth =
    amount !== undefined && status
      ? formatQuota(
          amount,
          { ...status, display_in_currency: true },
          // Whole cents need no more than everywhere else.
          (amount * 100) % status.quota_per_unit === 0 ? 2 : digits,
        )
      : ''
  const presets = usualAmounts.flatMap(dollars =>
    status ? { quota: dollars * status.quota_per_unit, label: `${dollars}$` } : [],
  )
  return (
    <div>
      <TextInput
        id={id}
        name={name}
        autoComplete="off"
        label={label}
        description={description}
        placeholder={placeholder}
        inputMode="numeric"
        value={value}
        disabled={disabled}
        error={error}
        rightSection={<span className={styles.worth}>{worth}</span>}
        rightSectionWidth={worth.length * 8 + 20}
        rightSectionPointerEvents="none"
        onChange={({ currentTarget, nativeEvent }) => {
          // An input method that is still at it would lose its place.
          const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing
          onChange(isComposing ? currentTarget.value : plainNumber(currentTarget.value))
        }}
        onBlur={() => {
          if (plainNumber(value) !== value) onChange(plainNumber(value))
        }}
      />
      {!bare && (
        <QuickChoices
          label={label}
          disabled={disabled === true}
          choices={presets.map(preset => ({
            label: onAdd ? `+${preset.label}` : preset.label,
            active: !onAdd && amount === preset.quota,
            choose: () => (onAdd ? onAdd(preset.quota) : onChange(String(preset.quota))),
          }))}
        />
      )}
    </div>
  )
}
