import type { StatisticsRow } from '../../../contract/statistics.ts'
import type { TranslateOf } from '../../text.ts'
import type { detailText } from './catalogue.ts'
import type { Pivot } from './choices.ts'
import type zh from './locales/zh.ts'
import { OTHERS } from './series.ts'

export type DetailTranslate = TranslateOf<typeof detailText>

/** Ids of what has been deleted have no name any more; some calls never had a token or reached a channel. */
export function nameSubject(
  { key, name }: Pick<StatisticsRow, 'key' | 'name'>,
  by: Pivot,
  t: DetailTranslate,
): string {
  if (key === OTHERS) return t('others')
  const hasId = by === 'user' || by === 'token' || by === 'channel'
  if (key === '0' && by === 'token') return t('noToken')
  if (key === '0' && by === 'channel') return t('noChannel')
  if (name.trim() === '') return hasId ? `#${key}` : t('unnamed')
  return hasId && name === key ? `#${key}` : name
}

export const pivotLabels = {
  model: 'byModel',
  token: 'byToken',
  group: 'byGroup',
  label: 'byLabel',
  user: 'byUser',
  channel: 'byChannel',
} as const satisfies Record<Pivot, keyof typeof zh>
