import { ChevronRight, LoaderCircle } from 'lucide-react'
import type { ChannelView } from '../../../contract/channel-view.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import { formatMinute, formatTime } from '../../format.ts'
import { shortNumber } from '../../quota.ts'
import { useText } from '../../text.ts'
import { Tag, type Tone } from '../../ui/content/tag.tsx'
import { useBusy } from './busy.ts'
import { channelText } from './catalogue.ts'
import styles from './channel.module.css'
import { describeRest, isOfChannel, lastUntil, type Rests, restingKeys, restText } from './rests.ts'
import { countResting, fallOf, isOn, type TagRow } from './rows.ts'

export function StatusTag({ channel, rests }: { channel: ChannelView; rests: Rests | undefined }) {
  const t = useText(channelText)
  if (isOn(channel) && rests) return <RestTag channel={channel} rests={rests} />
  if (isOn(channel)) return <Tag tone="green">{t('enabled')}</Tag>
  if (channel.status === channelStatuses.disabledByHand) return <Tag>{t('disabled')}</Tag>
  if (channel.status !== channelStatuses.disabledByItself) return <Tag>{t('unknown')}</Tag>
  const fall = fallOf(channel)
  const title = fall && t('reason', { reason: fall.reason || '–', time: formatTime(fall.time) })
  return (
    <Tag tone="orange" {...(title ? { title } : {})}>
      {t('disabledByItself')}
    </Tag>
  )
}

function RestTag({ channel, rests }: { channel: ChannelView; rests: Rests }) {
  const t = useText(channelText)
  const own = rests.filter(isOfChannel)
  const { count, all, isWhole } = countResting(channel, own)
  const isAsked = own.length === 0
  return (
    <span className={styles.rest} title={rests.map(describeRest).join('\n')}>
      <Tag tone={isAsked ? 'green' : 'yellow'}>
        {isAsked ? t('enabled') : isWhole ? restText('whole') : restText('some', { count, all })}
      </Tag>
      <span className={styles.second}>
        {isAsked ? restText('some', restingKeys(rests)) : restText('until', { time: lastUntil(own) })}
      </span>
    </span>
  )
}

interface TagStatusProps {
  channels: readonly ChannelView[]
  restsOf(channel: ChannelView): Rests | undefined
}

export function TagStatus({ channels, restsOf }: TagStatusProps) {
  const t = useText(channelText)
  const on = channels.filter(isOn)
  if (on.length === 0) return <Tag>{t('disabled')}</Tag>
  const resting = on.filter(channel => restsOf(channel)?.some(isOfChannel)).length
  return (
    <span className={styles.rest}>
      <Tag tone="green">{t('enabledOf', { on: on.length, all: channels.length })}</Tag>
      {resting > 0 && (
        <span className={styles.second}>{restText('some', { count: resting, all: on.length })}</span>
      )}
    </span>
  )
}

export function TagName({ row, toggle }: { row: TagRow; toggle(tag: string): void }) {
  const t = useText(channelText)
  return (
    <button
      type="button"
      className={styles.tagName}
      aria-expanded={row.isOpen}
      onClick={() => toggle(row.tag)}
    >
      <ChevronRight size={16} aria-hidden />
      <span className={styles.name} data-lines>
        <span className={styles.nameText}>{row.tag}</span>
        <span className={styles.second}>{t('count', { count: row.channels.length })}</span>
      </span>
    </button>
  )
}

function toneOfResponse(ms: number): Tone {
  if (ms === 0) return 'grey'
  if (ms <= 1000) return 'green'
  if (ms <= 3000) return 'lime'
  return ms <= 5000 ? 'yellow' : 'red'
}

export function ResponseTime({ ms, at }: { ms: number; at: number }) {
  const t = useText(channelText)
  if (ms === 0 && at === 0) return <Tag>{t('untested')}</Tag>
  return (
    <Tag
      tone={ms === 0 ? 'red' : toneOfResponse(ms)}
      {...(at > 0 ? { title: t('testedAt', { time: formatTime(at) }) } : {})}
    >
      {ms === 0 ? t('status.FAILURE') : `${(ms / 1000).toFixed(2)} s`}
    </Tag>
  )
}

export function ResponseOf({ channel }: { channel: ChannelView }) {
  const t = useText(channelText)
  const isTesting = useBusy('test', channel.id)
  if (!isTesting) return <ResponseTime ms={channel.response_time} at={channel.test_time} />
  return (
    <Tag tone="blue">
      <LoaderCircle size={12} aria-hidden className={styles.turning} />
      {t('testing')}
    </Tag>
  )
}

/** What is left at the provider, in dollars; a click asks for it again. */
export function Balance({ channel, refresh }: { channel: ChannelView; refresh(channel: ChannelView): void }) {
  const t = useText(channelText)
  const isBusy = useBusy('balance', channel.id)
  const { balance, balance_updated_time: at, name } = channel
  const say = (amount: string) => (at > 0 ? t('balance', { amount }) : t('balanceNone'))
  const [text, short] = [say(dollars(balance)), say(shortDollars(balance))]
  const isShort = short !== text
  const title = at > 0 ? t('balanceTitle', { time: formatMinute(at) }) : t('balanceUnknown')
  return (
    <button
      type="button"
      className={styles.balance}
      disabled={isBusy}
      aria-label={`${text} · ${t('balanceRefresh', { name })}`}
      title={isShort ? `${text} · ${title}` : title}
      onClick={() => refresh(channel)}
    >
      {isShort && <span className={styles.shortBalance}>{short}</span>}
      <span className={isShort ? styles.wholeBalance : undefined}>{text}</span>
      {isBusy && <LoaderCircle size={12} aria-hidden className={styles.turning} />}
    </button>
  )
}

const amounts = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

function dollars(amount: number): string {
  const text = amounts.format(Math.abs(amount))
  return amount < 0 ? `-$${text}` : `$${text}`
}

/** Letters that the column has room for beside its word. Gateways of this family tell of a hundred million where nothing is limited. */
const ROOM = 7

function shortDollars(amount: number): string {
  const whole = dollars(amount)
  if (whole.length <= ROOM) return whole
  return `${amount < 0 ? '-' : ''}$${shortNumber(Math.round(Math.abs(amount)))}`
}
