import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { auditEndpoints } from '../../../../contract/audit.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { Tag } from '../../../ui/content/tag.tsx'
import styles from './audit.module.css'
import { auditText } from './catalogue.ts'

/** Proves on demand that nothing was taken out of the record, put in or altered. */
export function VerifyRecord() {
  const t = useText(auditText)
  const { mutate, data, isPending } = useMutation({ mutationFn: () => call(auditEndpoints.verifyAudit) })
  return (
    <span className={styles.verify}>
      <span role="status">
        {data &&
          (data.intact ? (
            <Tag tone="green">{t('intact', { count: data.records })}</Tag>
          ) : (
            <Tag tone="red">{t('broken', { id: data.broken_at ?? 0 })}</Tag>
          ))}
      </span>
      <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
        {t('verify')}
      </Button>
    </span>
  )
}
