import type { StatusDocument } from '../../../contract/system.ts'
import styles from '../../sign-in/legal.module.css'
import { LegalLinks } from '../../sign-in/legal-links.tsx'
import { useText } from '../../text.ts'
import { registerText } from './catalogue.ts'

interface AgreementProps {
  status: StatusDocument
  checked: boolean
  /** It was tried without. */
  isMissed: boolean
  onChange(checked: boolean): void
}

/** Whoever registers has read what the operator asks for. */
export default function Agreement({ status, checked, isMissed, onChange }: AgreementProps) {
  const t = useText(registerText)
  return (
    <div>
      <label className={styles.agreement}>
        <input
          type="checkbox"
          required
          checked={checked}
          aria-invalid={isMissed}
          aria-describedby={isMissed ? 'agreement-missed' : undefined}
          onChange={event => onChange(event.currentTarget.checked)}
        />
        <span>
          {t('agree')} <LegalLinks status={status} between={t('and')} />
        </span>
      </label>
      {isMissed && (
        <p id="agreement-missed" className={styles.missed}>
          {t('agreeFirst')}
        </p>
      )}
    </div>
  )
}
