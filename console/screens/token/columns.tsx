import type { StatusDocument } from '../../../contract/system.ts'
import { type TokenView, tokenStatuses } from '../../../contract/tokens.ts'
import { formatDay, formatMinute, formatTime } from '../../format.ts'
import { formatQuota } from '../../quota.ts'
import { currentLanguage, type TranslateOf } from '../../text.ts'
import { Amount } from '../../ui/amounts/amount.tsx'
import { GroupTag } from '../../ui/content/group-tag.tsx'
import { Tag, type Tone } from '../../ui/content/tag.tsx'
import { OpenName } from '../../ui/lists/open-name.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useMinute } from '../../ui/use-minute.ts'
import type { tokenText } from './catalogue.ts'
import { sayHowLongAgo, wasUsed } from './last-used.ts'
import styles from './token.module.css'

type TokenTranslate = TranslateOf<typeof tokenText>

const tones: Record<number, Tone> = { 1: 'green', 2: 'grey', 3: 'yellow', 4: 'orange' }

export function tokenColumns(
  t: TokenTranslate,
  status: StatusDocument | undefined,
  isSpacious: boolean,
  open: (token: TokenView) => void,
  showsCreators: boolean,
): Column<TokenView>[] {
  const amount = (quota: number) => <Amount quota={quota} status={status} room={10} />
  return [
    {
      id: 'name',
      header: t('name'),
      heading: true,
      cell: token => (
        <span className={styles.name} data-lines>
          <OpenName name={token.name} open={() => open(token)} />
          <span className={styles.key}>
            <KeyText t={t} token={token} />
            {showsCreators && token.creator !== '' && <span title={t('creator')}> · {token.creator}</span>}
          </span>
        </span>
      ),
    },
    {
      id: 'status',
      header: t('status'),
      inCard: 'beside',
      // For the words of three tags in a line, where there is room.
      width: isSpacious ? 230 : 140,
      cell: token => (
        <span className={styles.tags}>
          <Tag
            tone={tones[token.status] ?? 'grey'}
            title={token.model_limits_enabled ? token.model_limits.split(',').join(', ') : undefined}
          >
            {statusText(t, token)}
          </Tag>
          {token.group && <GroupTag name={token.group} />}
          {token.allow_ips && (
            <Tag tone="grey" title={token.allow_ips}>
              {t('ipLimited')}
            </Tag>
          )}
        </span>
      ),
    },
    {
      id: 'used',
      header: t('used'),
      width: 100,
      align: 'end',
      inCard: 'figure',
      cell: token => amount(token.used_quota),
    },
    {
      id: 'remaining',
      header: t('remaining'),
      width: 100,
      align: 'end',
      inCard: 'figure',
      cell: token =>
        token.unlimited_quota ? (
          <span className={styles.muted}>{t('unlimited')}</span>
        ) : token.refill_at === 0 ? (
          amount(token.remain_quota)
        ) : (
          <span className={styles.budget} data-lines>
            <span>{amount(token.remain_quota)}</span>
            <Renews token={token} say={(time, to) => t('renews', { time, to })} status={status} />
          </span>
        ),
    },
    {
      id: 'lastUsed',
      header: t('lastUsed'),
      width: 122,
      inCard: 'figure',
      cell: token => <LastUsed token={token} never={t('neverUsed')} />,
    },
    {
      id: 'created',
      header: t('created'),
      width: 98,
      inCard: 'behind',
      cell: token => <Day at={token.created_time} />,
    },
    {
      id: 'expiry',
      header: t('expiry'),
      width: 98,
      inCard: 'behind',
      cell: token =>
        token.expired_time < 0 ? (
          <span className={styles.muted}>{t('never')}</span>
        ) : (
          <Day at={token.expired_time} />
        ),
    },
  ]
}

/** What has no key came from elsewhere, unless it is what a member spends in the playground with. */
function KeyText({ t, token }: { t: TokenTranslate; token: TokenView }) {
  if (token.key !== '') return <code>{maskKey(token.key)}</code>
  const isPlayground = token.created_by > 0 && token.name === 'playground'
  return isPlayground ? '–' : <span title={t('keyUnknown')}>{t('movedIn')}</span>
}

/** In a table the day, of today the time, and all of it to whoever points at it; cards have room for both. */
function Day({ at }: { at: number }) {
  const minute = formatMinute(at)
  const day = minute.slice(0, 10)
  const isToday = day === formatDay(new Date())
  return (
    <time title={formatTime(at)}>
      <span className={isToday ? styles.inCards : undefined}>{day} </span>
      <span className={isToday ? undefined : styles.inCards}>{minute.slice(11)}</span>
    </time>
  )
}

interface RenewsProps {
  token: TokenView
  status: StatusDocument | undefined
  say(time: string, to: string): string
}

/** When a budget is there again: the day, of today the time; and to how much, for whoever points at it. */
function Renews({ token: { refill_at: at, refill_quota: quota }, status, say }: RenewsProps) {
  const minute = formatMinute(at)
  const isToday = minute.slice(0, 10) === formatDay(new Date())
  const told = status ? say(minute, formatQuota(quota, status)) : minute
  return (
    <time className={styles.renews} title={told}>
      ↻ <span className={isToday ? styles.inCards : undefined}>{minute.slice(5, 10)} </span>
      <span className={isToday ? undefined : styles.inCards}>{minute.slice(11)}</span>
    </time>
  )
}

function LastUsed({ token, never }: { token: TokenView; never: string }) {
  useMinute()
  if (!wasUsed(token)) return <span className={styles.muted}>{never}</span>
  const { accessed_time: at } = token
  return <time title={formatTime(at)}>{sayHowLongAgo(at, Date.now() / 1000, currentLanguage())}</time>
}

function statusText(t: TokenTranslate, { status, model_limits_enabled }: TokenView): string {
  if (status === tokenStatuses.enabled) return model_limits_enabled ? t('enabledLimited') : t('enabled')
  if (status === tokenStatuses.disabled) return t('disabled')
  if (status === tokenStatuses.expired) return t('expired')
  return status === tokenStatuses.exhausted ? t('exhausted') : t('unknown')
}

/** Enough to recognise a key by, too little to use it. */
function maskKey(key: string): string {
  return `sk-${key.slice(0, 4)}…${key.slice(-4)}`
}
