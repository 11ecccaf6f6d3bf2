import styles from './quota-field.module.css'

interface QuickChoice {
  readonly label: string
  readonly active?: boolean
  choose(): void
}

interface QuickChoicesProps {
  /** The field they fill in. */
  label: string
  disabled?: boolean
  choices: readonly QuickChoice[]
}

/** The usual values of a field, a click away. */
export function QuickChoices({ label, disabled, choices }: QuickChoicesProps) {
  return (
    <div className={styles.presets}>
      {choices.map(choice => (
        <button
          key={choice.label}
          type="button"
          className={styles.preset}
          disabled={disabled}
          aria-label={`${label} ${choice.label}`}
          aria-pressed={choice.active === true}
          onClick={choice.choose}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
