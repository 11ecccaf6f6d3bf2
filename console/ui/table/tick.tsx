import styles from './row-controls.module.css'

interface TickProps {
  label: string
  checked: boolean | 'some'
  onChange(): void
}

export function Tick({ label, checked, onChange }: TickProps) {
  return (
    <label className={styles.tickArea}>
      <input
        type="checkbox"
        className={styles.tick}
        aria-label={label}
        checked={checked === true}
        ref={box => {
          if (box) box.indeterminate = checked === 'some'
        }}
        onChange={onChange}
      />
    </label>
  )
}
