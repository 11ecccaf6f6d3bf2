import type { PricedModel } from '../../../contract/pricing.ts'
import { writesNothing } from '../../clients/chat-models.ts'
import { formatCount, formatRatio } from '../../format.ts'
import { formatPrice, isPerCall, longPriceOf, priceOf } from '../../price-of.ts'
import type { Translate } from '../../text.ts'
import { copyText } from '../../ui/content/copy.ts'
import { nothing } from '../../ui/content/nothing.tsx'
import { Tag } from '../../ui/content/tag.tsx'
import { GroupTags } from '../../ui/lists/group-tags.tsx'
import type { Column } from '../../ui/table/column.ts'
import type zh from './locales/zh.ts'
import styles from './pricing.module.css'
import type { PriceSort } from './route.ts'
import { unitWords } from './unit-words.ts'

/** What a model costs a group. */
export function pricingColumns(
  t: Translate<keyof typeof zh>,
  group: string,
  groupRatio: number,
  sortBy: (by: PriceSort) => Column<PricedModel>['sort'],
): Column<PricedModel>[] {
  return [
    {
      id: 'model',
      header: t('model'),
      heading: true,
      cell: ({ model_name }) => (
        <button
          type="button"
          className={styles.model}
          title={t('copyName')}
          onClick={() => copyText(model_name)}
        >
          {model_name}
        </button>
      ),
    },
    {
      id: 'available',
      header: t('availability'),
      width: 104,
      inCard: 'beside',
      cell: ({ enable_groups }) =>
        enable_groups.includes(group) ? (
          <Tag tone="green">{t('available')}</Tag>
        ) : (
          <Tag>{t('unavailable')}</Tag>
        ),
    },
    {
      id: 'billing',
      wideOnly: true,
      header: t('billing'),
      width: 104,
      cell: model =>
        isPerCall(model) ? (
          <Tag tone="yellow">{t(unitWords(model.model_name).billing)}</Tag>
        ) : (
          <Tag tone="blue">{t('perToken')}</Tag>
        ),
    },
    {
      id: 'groups',
      header: t('groups'),
      width: 160,
      inCard: 'behind',
      cell: ({ enable_groups }) => <GroupTags names={chosenFirst(enable_groups, group)} most={3} />,
    },
    {
      id: 'ratio',
      wideOnly: true,
      header: t('ratio'),
      width: 120,
      align: 'end',
      cell: model =>
        isPerCall(model) ? (
          nothing
        ) : (
          <span title={t('ratioTitle')}>
            {formatRatio(model.model_ratio)}
            {!writesNothing(model.model_name) && ` · ${formatRatio(model.completion_ratio)}`}
          </span>
        ),
    },
    {
      id: 'prompt',
      header: t('promptPrice'),
      width: 136,
      align: 'end',
      inCard: 'figure',
      sort: sortBy('prompt'),
      // What is paid by the call has one price.
      nameIn: model => (isPerCall(model) ? t('price') : undefined),
      cell: model => {
        const { call, prompt } = priceOf(model, groupRatio)
        if (call !== undefined) return t(unitWords(model.model_name).price, { price: formatPrice(call) })
        return (
          <span>
            <LongMark t={t} model={model} groupRatio={groupRatio} /> {formatPrice(prompt)}
          </span>
        )
      },
    },
    {
      id: 'completion',
      header: t('completionPrice'),
      width: 148,
      align: 'end',
      inCard: 'figure',
      sort: sortBy('completion'),
      cell: model => {
        const { call, completion } = priceOf(model, groupRatio)
        const isPaid = call === undefined && !writesNothing(model.model_name)
        return isPaid ? formatPrice(completion) : nothing
      },
    },
  ]
}

/** Whose prices are shown is what its reader looks for. */
function chosenFirst(groups: readonly string[], chosen: string): readonly string[] {
  return groups.includes(chosen) ? [chosen, ...groups.filter(name => name !== chosen)] : groups
}

interface LongMarkProps {
  t: Translate<keyof typeof zh>
  model: PricedModel
  groupRatio: number
}

/** Says of a model that longer input costs something else, and from where on. */
function LongMark({ t, model, groupRatio }: LongMarkProps) {
  const long = longPriceOf(model, groupRatio)
  if (!long) return null
  const prices = { prompt: formatPrice(long.prompt), completion: formatPrice(long.completion) }
  const hint = t('longHint', { tokens: formatCount(long.over), ...prices })
  return (
    <span className={styles.long} role="img" aria-label={hint} title={hint}>
      &gt;{formatCount(long.over / 1000)}K
    </span>
  )
}
