import type { auditEndpoints } from '../../../../contract/audit.ts'
import { type AuditAction, auditActions } from '../../../../contract/audit-actions.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { formatTime } from '../../../format.ts'
import { named } from '../../../punctuation.ts'
import { currentLanguage, type TranslateOf } from '../../../text.ts'
import { nothing } from '../../../ui/content/nothing.tsx'
import type { Column } from '../../../ui/table/column.ts'
import styles from './audit.module.css'
import type { auditText } from './catalogue.ts'
import { nameField } from './field-names.ts'
import { Subject } from './subject.tsx'
import { useChanges } from './use-changes.ts'

export type AuditRow = OutputOf<(typeof auditEndpoints)['auditRecords']>['items'][number]
type AuditTranslate = TranslateOf<typeof auditText>

export function actionName(action: string): string {
  // Older programs may have recorded what this one no longer does.
  return Object.hasOwn(auditActions, action) ? auditActions[action as AuditAction][currentLanguage()] : action
}

export function auditColumns(t: AuditTranslate): Column<AuditRow>[] {
  return [
    {
      id: 'time',
      header: t('time'),
      width: 184,
      heading: true,
      cell: ({ created_at }) => formatTime(created_at),
    },
    {
      id: 'who',
      header: t('who'),
      width: 112,
      inCard: 'beside',
      cell: ({ username, user_id }) =>
        username === '' ? (
          <span className={styles.muted}>{t('nobody')}</span>
        ) : (
          <span title={`${username} #${user_id}`}>{username}</span>
        ),
    },
    {
      id: 'action',
      header: t('action'),
      width: 150,
      inCard: 'plain',
      cell: ({ action }) => actionName(action),
    },
    {
      id: 'subject',
      header: t('subject'),
      width: 190,
      inCard: 'plain',
      cell: ({ subject }) => <Subject subject={subject} />,
    },
    {
      id: 'change',
      header: t('change'),
      cell: record => <Summary t={t} record={record} />,
    },
  ]
}

function Summary({ t, record }: { t: AuditTranslate; record: AuditRow }) {
  const [first, ...others] = useChanges(record)
  if (!first) return nothing
  const sides = [first.before, first.after].filter(side => side !== undefined)
  const field = nameField(first.field, currentLanguage(), record.subject)
  const said = [...new Set(sides)].map(side => side || '–').join(' → ')
  return (
    <span className={styles.summary}>
      <span className={styles.said}>{field === '' ? said : named(field, said)}</span>
      {others.length > 0 && <span className={styles.muted}>{t('more', { count: others.length })}</span>}
    </span>
  )
}
