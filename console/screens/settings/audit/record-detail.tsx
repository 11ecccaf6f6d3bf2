import { useLanguage, useText } from '../../../text.ts'
import styles from './audit.module.css'
import { auditText } from './catalogue.ts'
import type { AuditRow } from './columns.tsx'
import { nameField } from './field-names.ts'
import { useChanges } from './use-changes.ts'

interface RecordDetailProps {
  record: AuditRow
  /** Shows all that became of the same. */
  showSubject(): void
}

export function RecordDetail({ record, showSubject }: RecordDetailProps) {
  const t = useText(auditText)
  const language = useLanguage()
  const changes = useChanges(record)
  return (
    <div className={styles.detail}>
      {changes.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{t('field')}</th>
              <th scope="col">{t('before')}</th>
              <th scope="col">{t('after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row" title={field}>
                  {nameField(field, language, record.subject) || record.subject.split(':').at(-1)}
                </th>
                <td>{before || '–'}</td>
                <td>{after || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles.foot}>
        <code>{record.action}</code>
        <code>{record.subject}</code>
        {record.address !== '' && <code>{record.address}</code>}
        <button type="button" className={styles.more} onClick={showSubject}>
          {t('sameSubject')}
        </button>
      </p>
    </div>
  )
}
