import { X } from 'lucide-react'
import { useId } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { playgroundText } from './models/catalogue.ts'
import styles from './side-panel.module.css'

interface DialProps {
  label: string
  /** Also the least that can be chosen; the most is 1. */
  step: number
  /** 0 is unset. */
  value: number
  onChange(value: string | number): void
}

export function Dial({ label, step, value, onChange }: DialProps) {
  const t = useText(playgroundText)
  const shell = useText(shellText)
  const id = useId()
  const shown = value === 0 ? t('unset') : value.toFixed(String(step).length - 2)
  return (
    <div className={styles.dial}>
      <div className={styles.valued}>
        <label htmlFor={id}>{label}</label>
        <output htmlFor={id}>{shown}</output>
        {value !== 0 && (
          <button
            type="button"
            aria-label={shell('filter.clearOne', { name: label })}
            onClick={() => onChange(0)}
          >
            <X size={12} aria-hidden />
          </button>
        )}
      </div>
      <input
        id={id}
        type="range"
        min={step}
        max={1}
        step={step}
        data-unset={value === 0}
        value={value === 0 ? 1 : value}
        aria-valuetext={shown}
        onChange={event => onChange(event.currentTarget.value)}
        // Where it stands while unset can be chosen too.
        onClick={event => onChange(event.currentTarget.value)}
      />
    </div>
  )
}
