import { Link } from '@tanstack/react-router'
import { isExpired, type RedemptionView, redemptionStatuses } from '../../../contract/redemptions.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { formatMinute } from '../../format.ts'
import type { TranslateOf } from '../../text.ts'
import { Amount } from '../../ui/amounts/amount.tsx'
import { Tag } from '../../ui/content/tag.tsx'
import { OpenName } from '../../ui/lists/open-name.tsx'
import { HeadingId, idColumn } from '../../ui/lists/row-id.tsx'
import type { Column } from '../../ui/table/column.ts'
import type { redemptionText } from './catalogue.ts'
import styles from './redemption.module.css'

type RedemptionTranslate = TranslateOf<typeof redemptionText>

export function redemptionColumns(
  t: RedemptionTranslate,
  status: StatusDocument | undefined,
  open: (code: RedemptionView) => void,
): Column<RedemptionView>[] {
  return [
    idColumn(t('id'), 60),
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
    {
      id: 'status',
      header: t('status'),
      width: 90,
      inCard: 'beside',
      cell: code => <StatusTag t={t} code={code} />,
    },
    {
      id: 'quota',
      header: t('quota'),
      width: 100,
      align: 'end',
      inCard: 'figure',
      cell: ({ quota }) => <Amount quota={quota} status={status} room={10} />,
    },
    {
      id: 'created',
      header: t('created'),
      width: 138,
      inCard: 'behind',
      cell: code => formatMinute(code.created_time),
    },
    {
      id: 'expiry',
      header: t('expiry'),
      width: 138,
      inCard: 'figure',
      cell: ({ expired_time: end }) =>
        end === 0 ? <span className={styles.muted}>{t('never')}</span> : formatMinute(end),
    },
    {
      id: 'redeemer',
      header: t('redeemer'),
      width: 110,
      align: 'end',
      inCard: 'figure',
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

/** Whether nobody has used it in time. */
export function hasEnded(code: RedemptionView): boolean {
  return code.status === redemptionStatuses.unused && isExpired(code, Date.now() / 1000)
}

function StatusTag({ t, code }: { t: RedemptionTranslate; code: RedemptionView }) {
  if (hasEnded(code)) return <Tag tone="grey">{t('expired')}</Tag>
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
