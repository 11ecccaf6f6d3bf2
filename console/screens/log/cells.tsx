import { logTypes } from '../../../contract/log-types.ts'
import type { LogView } from '../../../contract/logs.ts'
import { tellFailure } from '../../../contract/tell-failure.ts'
import { currentLanguage, type TranslateOf } from '../../text.ts'
import { copyText } from '../../ui/content/copy.ts'
import { nothing } from '../../ui/content/nothing.tsx'
import { Tag, type Tone } from '../../ui/content/tag.tsx'
import { timeTaken } from '../../ui/lists/time-taken.ts'
import type { logText } from './catalogue.ts'
import { formatSeconds, toneOfFirstToken, toneOfUseTime } from './latency.ts'
import type zh from './locales/zh.ts'
import styles from './log.module.css'
import { breakOf, firstTokenOf, isBackground, isBatch, readOther } from './read-other.ts'
import { retell } from './retell.ts'

export type LogTranslate = TranslateOf<typeof logText>

const types = {
  [logTypes.topUp]: { word: 'typeTopUp', tone: 'blue' },
  [logTypes.consumption]: { word: 'typeConsumption', tone: 'grey' },
  [logTypes.admin]: { word: 'typeAdmin', tone: 'orange' },
  [logTypes.system]: { word: 'typeSystem', tone: 'yellow' },
  [logTypes.error]: { word: 'typeError', tone: 'red' },
} as const satisfies Record<number, { word: keyof typeof zh; tone: Tone }>

type KnownType = keyof typeof types
const isKnown = (type: number): type is KnownType => type in types

export function typeWord(t: LogTranslate, type: number): string {
  return isKnown(type) ? t(types[type].word) : t('unknown')
}

/** Looked up once for all rows: a scrolled table draws hundreds of cells a second. */
interface CellWords {
  readonly types: ReadonlyMap<number, string>
  readonly unknown: string
  readonly copy: string
  readonly useTime: string
  readonly firstToken: string
  readonly streamed: string
  readonly streamShort: string
  readonly background: string
  readonly playground: string
}

export function cellWords(t: LogTranslate): CellWords {
  return {
    types: new Map(Object.values(logTypes).map(type => [type, typeWord(t, type)])),
    unknown: t('unknown'),
    copy: t('copyOne'),
    useTime: t('useTime'),
    firstToken: t('firstToken'),
    streamed: t('streamed'),
    streamShort: t('streamShort'),
    background: t('background'),
    playground: t('nav.playground'),
  }
}

export function TypeTag({ words, type }: { words: CellWords; type: number }) {
  return (
    <Tag short tone={isKnown(type) ? types[type].tone : 'grey'}>
      {words.types.get(type) ?? words.unknown}
    </Tag>
  )
}

/** Whether the row is about a call to a model: only such rows have tokens, times and a trail. */
export function isCall({ type }: LogView): boolean {
  return type === logTypes.consumption || type === logTypes.error
}

/** What a row says in words, unless that is said elsewhere. */
export function saidIn(row: LogView): string {
  if (row.type === logTypes.consumption && breakOf(row) === undefined && repeats(row)) return ''
  const language = currentLanguage()
  // The id of the request has a place of its own.
  const bare = row.content.replace(` (request id: ${row.request_id})`, '')
  return tellFailure(retell(bare, language), language)
}

/** Of a whole answer's charge the words only tell the price, which is arithmetic here; of a test, what it is called. */
function repeats(row: LogView): boolean {
  const { numbers, batchModels } = readOther(row)
  return numbers.group_ratio !== undefined || batchModels.length > 0 || row.content === row.token_name
}

/** So many letters of any alphabet fit wherever a name stands: what may be cut off costs more to draw. */
const SHORT = 9
const wide = /[^\0-ʯ]/
const mayBeCut = (text: string) => text.length > SHORT || wide.test(text)

export function nameClass(text: string, mono?: boolean): string {
  return `${mayBeCut(text) ? styles.cut : styles.copied}${mono ? ` ${styles.mono}` : ''}`
}

/** Words that are cut off where there is no room for them. */
export function Said({ text }: { text: string }) {
  return (
    <span className={styles.said} title={text}>
      {text}
    </span>
  )
}

interface CopiedProps {
  title: string
  text: string
  /** Stands for it where it is long. */
  shown?: string
  mono?: boolean
}

/** A word that a click copies. */
export function Copied({ title, text, shown = text, mono }: CopiedProps) {
  if (text === '') return <span className={styles.none}>–</span>
  return (
    <button
      type="button"
      className={nameClass(shown, mono)}
      // Whole already: the same for all rows, so that other words style nothing anew.
      title={mayBeCut(text) ? `${text} · ${title}` : title}
      onClick={() => copyText(text).catch(() => {})}
    >
      {shown}
    </button>
  )
}

/** Without a token, a row is named after where it is from: the playground and its group, or the test of a channel. */
export function tokenWord({ token_id, token_name, group }: LogView, words: CellWords): string {
  if (token_id !== 0) return token_name
  // There is no room for the group.
  if (token_name === `playground-${group}`) return words.playground
  return retell(token_name, currentLanguage())
}

/** What takes half an hour in the background is not counted in seconds by anybody. */
function tookText(seconds: number, inBackground: boolean): string {
  if (seconds < 1) return '<1 s'
  return inBackground ? timeTaken(seconds) : `${seconds} s`
}

/** How long it took, how long until the first token, and whether it was streamed or nobody waited. */
export function Latency({ words, row }: { words: CellWords; row: LogView }) {
  if (!isCall(row) || isBatch(row)) return nothing
  const first = firstTokenOf(row)
  const inBackground = isBackground(row)
  return (
    <span className={styles.latency}>
      <Tag short tone={inBackground ? 'grey' : toneOfUseTime(row.use_time)} title={words.useTime}>
        {tookText(row.use_time, inBackground)}
      </Tag>
      {first !== undefined && (
        <Tag short tone={toneOfFirstToken(first)} title={words.firstToken}>
          {formatSeconds(first)}
        </Tag>
      )}
      {inBackground && <span className={styles.stream}>{words.background}</span>}
      {row.is_stream && !inBackground && (
        <span className={styles.stream} title={words.streamed}>
          {words.streamShort}
        </span>
      )}
    </span>
  )
}
