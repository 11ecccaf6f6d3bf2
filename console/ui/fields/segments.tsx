import styles from './segments.module.css'

interface SegmentsProps<V extends string> {
  label: string
  value: V | undefined
  options: readonly { readonly value: V; readonly label: string }[]
  onChange(value: V): void
}

/** A choice among few that are all in sight. */
export function Segments<V extends string>({ label, value, options, onChange }: SegmentsProps<V>) {
  return (
    <fieldset className={styles.segments}>
      <legend className={styles.unseen}>{label}</legend>
      {options.map(option => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
