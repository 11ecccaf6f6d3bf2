import { Link } from '@tanstack/react-router'
import { type RedemptionView, redemptionStatuses } from '../../../contract/redemptions.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { formatMinute } from '../../format.ts'
import { formatQuota } from '../../quota.ts'
import type { TranslateOf } from '../../text.ts'
import { OpenName } from '../../ui/open-name.tsx'
import { HeadingId, idColumn } from '../../ui/row-id.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Tag } from '../../ui/tag.tsx'
import type { redemptionText } from './catalogue.ts'
import styles from './redemption.module.css'

type RedemptionTranslate = TranslateOf<typeof redemptionText>

export function redemptionColumns(
  t: RedemptionTranslate,
  status: StatusDocument | undefined,
  open: (code: RedemptionView) => void,
): Column<RedemptionView>[] {
  return [
    idColumn(t('id'), 72),
    {
      id: 'name',
      header: t('name'),
      heading: true,
      cell: code => (
        <OpenName name={code.name} open={() => open(code)}>
          <HeadingId id={code.id} />
        </OpenName>
      ),
    },
    { id: 'status', header: t('status'), width: 120, cell: code => <StatusTag t={t} code={code} /> },
    {
      id: 'quota',
      header: t('quota'),
      width: 120,
      align: 'end',
      cell: ({ quota }) => (status ? formatQuota(quota, status) : ''),
    },
    { id: 'created', header: t('created'), width: 144, cell: code => formatMinute(code.created_time) },
    {
      id: 'redeemer',
      header: t('redeemer'),
      width: 120,
      align: 'end',
      cell: code =>
        code.used_user_id === 0 ? (
          <span className={styles.muted}>{t('nobody')}</span>
        ) : (
          <Link
            to="/user/edit/$id"
            params={{ id: String(code.used_user_id) }}
            className={styles.redeemer}
            title={t('redeemedAt', { time: formatMinute(code.redeemed_time) })}
          >
            {code.used_user_id}
          </Link>
        ),
    },
  ]
}

function StatusTag({ t, code }: { t: RedemptionTranslate; code: RedemptionView }) {
  if (code.status === redemptionStatuses.unused) return <Tag tone="green">{t('unused')}</Tag>
  if (code.status === redemptionStatuses.disabled) return <Tag tone="grey">{t('disabled')}</Tag>
  if (code.status === redemptionStatuses.used)
    return (
      <Tag tone="grey" title={formatMinute(code.redeemed_time)}>
        {t('used')}
      </Tag>
    )
  return <Tag>{t('unknown')}</Tag>
}
