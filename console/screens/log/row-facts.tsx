import type { LogView } from '../../../contract/logs.ts'
import { formatCount } from '../../format.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { useLedgerWords } from '../../ui/amounts/ledger-words.ts'
import { logText } from './catalogue.ts'
import { Copied, isCall } from './cells.tsx'
import { formatSeconds } from './latency.ts'
import styles from './log.module.css'
import { chargeOf, firstTokenOf, readOther } from './read-other.ts'
import { formatZonedTime } from './zoned-time.ts'

/** What the row says of the request itself: how its tokens divide, and by which names it is known. */
export function RowFacts({ row }: { row: LogView }) {
  const t = useText(logText)
  const shell = useText(shellText)
  const ledger = useLedgerWords()
  const { numbers, texts, guards } = readOther(row)
  const charge = chargeOf(row, 1)
  const parts = charge && !('price' in charge) ? (charge.parts ?? []) : []
  const first = firstTokenOf(row)
  const counts: readonly (readonly [string, number | undefined])[] =
    isCall(row) && row.prompt_tokens + row.completion_tokens > 0
      ? [
          [t('prompt'), row.prompt_tokens],
          ...parts
            .filter(({ kind }) => kind !== 'audioOutput')
            .map(part => [ledger(part.kind), part.tokens] as const),
          [t('completion'), row.completion_tokens],
          ...parts
            .filter(({ kind }) => kind === 'audioOutput')
            .map(part => [ledger(part.kind), part.tokens] as const),
          [t('reasoning'), numbers.reasoning_tokens],
          [ledger('calls'), numbers.batch_requests],
        ]
      : []
  const known: readonly (readonly [string, string | undefined, 'mono'?])[] = [
    [t('time'), formatZonedTime(row.created_at)],
    [t('firstToken'), first === undefined ? undefined : formatSeconds(first)],
    [t('askedModel'), texts.asked_model, 'mono'],
    [t('upstreamModel'), texts.upstream_model_name, 'mono'],
    [t('statusCode'), numbers.status_code === undefined ? undefined : String(numbers.status_code)],
    [t('similarity'), numbers.answer_cache_similarity?.toFixed(4)],
    // As filters and exports know it.
    [t('token'), row.token_name],
    [t('group'), row.group],
    [t('label'), (texts.given_labels ?? row.labels.join(',')).replaceAll(',', ', ')],
    [shell('nav.prompt'), promptOf(texts.prompt_name, numbers.prompt_version), 'mono'],
    [t('taskId'), texts.task_id, 'mono'],
    [t('batchId'), texts.batch_id, 'mono'],
    [t('responseId'), texts.response_id, 'mono'],
    [t('guards'), guards],
    [t('ip'), texts.ip, 'mono'],
  ]
  return (
    <section>
      <h2 className={styles.heading}>{t('request')}</h2>
      <dl className={styles.facts}>
        {row.request_id !== '' && (
          <>
            <dt>{t('requestId')}</dt>
            <dd>
              <Copied title={t('copyOne')} text={row.request_id} mono />
            </dd>
          </>
        )}
        {known.map(([name, value, look]) => value && <Fact key={name} {...{ name, value, look }} />)}
        {counts.map(
          ([name, value]) =>
            value !== undefined && <Fact key={name} name={name} value={formatCount(value)} />,
        )}
      </dl>
    </section>
  )
}

/** Which of the caller's prompts was called, and in which version. */
function promptOf(name: string | undefined, version: number | undefined): string | undefined {
  return name && version !== undefined ? `${name}@${version}` : name
}

function Fact({ name, value, look }: { name: string; value: string; look?: 'mono' | undefined }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={look && styles[look]}>{value}</dd>
    </>
  )
}
