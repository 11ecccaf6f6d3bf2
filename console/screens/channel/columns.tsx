import { channelTypeOf } from '../../../contract/channel-types.ts'
import type { ChannelView } from '../../../contract/channel-view.ts'
import type { StatusDocument } from '../../../contract/system.ts'
import { formatCount } from '../../format.ts'
import { currentLanguage, type TranslateOf } from '../../text.ts'
import { Amount } from '../../ui/amounts/amount.tsx'
import { InlineNumber } from '../../ui/fields/inline-number.tsx'
import { GroupTags } from '../../ui/lists/group-tags.tsx'
import { OpenName } from '../../ui/lists/open-name.tsx'
import { HeadingId } from '../../ui/lists/row-id.tsx'
import type { Column } from '../../ui/table/column.ts'
import type { channelText } from './catalogue.ts'
import { Balance, ResponseOf, ResponseTime, StatusTag, TagName, TagStatus } from './cells.tsx'
import styles from './channel.module.css'
import { HealthBars } from './health-bars.tsx'
import type { Health } from './read-health.ts'
import { restsIn } from './rests.ts'
import { averageResponse, fallOf, inCommon, isTagRow, type NumberField, namesIn, type Row } from './rows.ts'
import type { RestsById } from './use-rests.ts'

const LOWEST_PRIORITY = -999
/** Digits that always have room, and what each further one takes. */
const USUAL_DIGITS = 6
const DIGIT = 8
const MOST_DIGITS = 12

interface ColumnParts {
  readonly t: TranslateOf<typeof channelText>
  readonly status: StatusDocument | undefined
  readonly health: Health | undefined
  readonly rests: RestsById | undefined
  readonly byTag: boolean
  /** Ids stand under the names. */
  readonly withoutIds: boolean
  /** Of a channel's groups. */
  readonly mostGroups: number
  readonly statusWidth: number
  /** Of the longest priority and the longest weight. */
  readonly digits: Readonly<Record<NumberField, number>>
  /** Undefined where the list is of tags. */
  readonly sort: Column<Row>['sort']
  toggleTag(tag: string): void
  open(channel: ChannelView): void
  saveNumber(channel: ChannelView, field: NumberField, value: number): Promise<unknown>
  refreshBalance(channel: ChannelView): void
}

export function channelColumns(parts: ColumnParts): Column<Row>[] {
  return [
    ...(parts.withoutIds ? [] : [idColumn(parts.t)]),
    ...namingColumns(parts),
    ...healthColumns(parts),
    usageColumn(parts),
    numberColumn(parts, 'priority', LOWEST_PRIORITY),
    numberColumn(parts, 'weight', 0),
  ]
}

/** What it is called, whom it serves, and whose it is. */
function namingColumns({ t, byTag, withoutIds, mostGroups, toggleTag, open }: ColumnParts): Column<Row>[] {
  return [
    {
      id: 'name',
      header: t('name'),
      heading: true,
      cell: row => {
        if (isTagRow(row)) return <TagName row={row} toggle={toggleTag} />
        // What is out of service says why before what it belongs to.
        const reason = fallOf(row)?.reason
        return (
          <span className={styles.name} data-lines>
            <OpenName name={row.name} open={() => open(row)}>
              {!withoutIds && <HeadingId id={row.id} />}
            </OpenName>
            <span className={styles.second} title={reason}>
              {[withoutIds && `#${row.id}`, reason, !byTag && row.tag].filter(Boolean).join(' · ')}
            </span>
          </span>
        )
      },
    },
    {
      id: 'group',
      header: t('group'),
      width: mostGroups > 1 ? 176 : 96,
      inCard: 'behind',
      cell: row => (
        <GroupTags
          most={mostGroups}
          names={
            isTagRow(row)
              ? [...new Set(row.channels.flatMap(({ group }) => namesIn(group)))]
              : namesIn(row.group)
          }
        />
      ),
    },
    {
      id: 'type',
      header: t('type'),
      width: 88,
      inCard: 'behind',
      // Two lines: some names are long, and none is to be guessed at.
      cell: row => (
        <span className={styles.type} data-lines title={typeName(t, row)}>
          {typeName(t, row)}
        </span>
      ),
    },
  ]
}

/** Whether it works, and how fast. */
function healthColumns({ t, health, rests, statusWidth }: ColumnParts): Column<Row>[] {
  const restsOf = (channel: ChannelView) => (rests ? rests[channel.id] : restsIn(channel))
  return [
    {
      id: 'status',
      header: t('status'),
      width: statusWidth,
      inCard: 'beside',
      cell: row =>
        isTagRow(row) ? (
          <TagStatus channels={row.channels} restsOf={restsOf} />
        ) : (
          <StatusTag channel={row} rests={restsOf(row)} />
        ),
    },
    {
      id: 'response',
      header: t('responseTime'),
      // Room for the bars of all hours.
      width: 96,
      inCard: 'figure',
      cell: row => {
        if (isTagRow(row)) return <ResponseTime ms={averageResponse(row.channels)} at={0} />
        const hours = health?.get(row.id)
        return (
          <span className={styles.response} data-lines>
            <ResponseOf channel={row} />
            {hours && <HealthBars hours={hours} label={healthLabel(t, hours)} />}
          </span>
        )
      },
    },
  ]
}

/** What was spent there, and what is left. */
function usageColumn({ t, status, byTag, sort, refreshBalance }: ColumnParts): Column<Row> {
  const amount = (quota: number) => <Amount quota={quota} status={status} room={10} />
  return {
    id: 'used',
    header: t('usedRemaining'),
    // Beside the boxes and the words of a tag there is just so much room.
    width: byTag ? 92 : 96,
    align: 'end',
    inCard: 'figure',
    ...(sort ? { sort } : {}),
    cell: row =>
      isTagRow(row) ? (
        amount(row.channels.reduce((sum, { used_quota }) => sum + used_quota, 0))
      ) : (
        <span className={styles.usage} data-lines>
          <span>{amount(row.used_quota)}</span>
          <Balance channel={row} refresh={refreshBalance} />
        </span>
      ),
  }
}

/** A number that decides who is asked first; typed where it stands. */
function numberColumn(
  { t, byTag, digits, saveNumber }: ColumnParts,
  field: NumberField,
  min: number,
): Column<Row> {
  const further = Math.max(0, Math.min(digits[field], MOST_DIGITS) - USUAL_DIGITS) * DIGIT
  return {
    id: field,
    header: t(field),
    width: (byTag ? 72 : 74) + further,
    align: 'end',
    inCard: 'behind',
    stateful: true,
    cell: row => {
      if (isTagRow(row))
        return <span className={styles.common}>{inCommon(row.channels, of => of[field]) ?? '–'}</span>
      return (
        <span className={styles.number}>
          <InlineNumber
            label={t(field === 'priority' ? 'priorityOf' : 'weightOf', { name: row.name })}
            value={row[field]}
            min={min}
            onSave={value => saveNumber(row, field, value)}
          />
        </span>
      )
    },
  }
}

function idColumn(t: ColumnParts['t']): Column<Row> {
  return {
    id: 'id',
    header: t('id'),
    width: 52,
    wideOnly: true,
    cell: row => <span className={styles.id}>{isTagRow(row) ? '' : row.id}</span>,
  }
}

function typeName(t: ColumnParts['t'], row: Row): string {
  const type = isTagRow(row) ? inCommon(row.channels, of => of.type) : row.type
  if (type === undefined) return '–'
  return channelTypeOf(type)?.name[currentLanguage()] ?? t('unknownType', { type })
}

function healthLabel(t: ColumnParts['t'], hours: readonly { requests: number; errors: number }[]): string {
  const sum = (of: 'requests' | 'errors') => formatCount(hours.reduce((all, hour) => all + hour[of], 0))
  return t('health', { requests: sum('requests'), errors: sum('errors') })
}
