import type { PlanView } from '../../../contract/plans.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import type { planText } from '../../plans/catalogue.ts'
import { durationText, periodWords } from '../../plans/plan-words.ts'
import type { TranslateOf } from '../../text.ts'
import { Amount } from '../../ui/amounts/amount.tsx'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import { nothing } from '../../ui/content/nothing.tsx'
import { Tag } from '../../ui/content/tag.tsx'
import { OpenName } from '../../ui/lists/open-name.tsx'
import { HeadingId, idColumn } from '../../ui/lists/row-id.tsx'
import type { Column } from '../../ui/table/column.ts'

export function planColumns(
  t: TranslateOf<typeof planText>,
  status: StatusDocument | undefined,
  open: (plan: PlanView) => void,
): Column<PlanView>[] {
  const amount = (quota: number) => <Amount quota={quota} status={status} room={10} />
  return [
    idColumn(t('id'), 60),
    {
      id: 'name',
      header: t('name'),
      heading: true,
      cell: plan => (
        <OpenName name={plan.title} open={() => open(plan)}>
          <HeadingId id={plan.id} />
        </OpenName>
      ),
    },
    {
      id: 'status',
      header: t('status'),
      width: 92,
      inCard: 'beside',
      cell: ({ on_sale }) =>
        on_sale ? <Tag tone="green">{t('onSale')}</Tag> : <Tag tone="grey">{t('offSale')}</Tag>,
    },
    {
      id: 'price',
      header: t('price'),
      width: 104,
      align: 'end',
      inCard: 'figure',
      cell: ({ price }) => amount(price),
    },
    {
      id: 'duration',
      header: t('duration'),
      width: 100,
      inCard: 'figure',
      cell: plan => durationText(t, plan),
    },
    {
      id: 'quota',
      header: t('quota'),
      width: 104,
      align: 'end',
      inCard: 'figure',
      cell: ({ quota }) => amount(quota),
    },
    {
      id: 'period',
      header: t('period'),
      width: 120,
      inCard: 'behind',
      cell: ({ period }) => t(periodWords[period]),
    },
    {
      id: 'group',
      header: t('group'),
      width: 100,
      inCard: 'behind',
      cell: ({ group }) => (group === '' ? nothing : <GroupTag name={group} />),
    },
  ]
}
