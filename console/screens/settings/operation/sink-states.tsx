import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type LogSink, type LogSinkState, logSinkEndpoints } from '../../../../contract/log-sinks.ts'
import { call } from '../../../api.ts'
import { formatCount, formatTime } from '../../../format.ts'
import { useText } from '../../../text.ts'
import { Tag } from '../../../ui/content/tag.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { settingsText } from '../catalogue.ts'
import { operationText } from './catalogue.ts'
import styles from './operation.module.css'

const LOOK_MS = 5000
const names: Record<LogSink, string> = { s3: 'S3', webhook: 'Webhook' }

/** How far the log has been delivered to each place, and a way to see whether it would be taken there. */
export default function SinkStates({ isSaved }: { isSaved: boolean }) {
  const { data } = useQuery({
    queryKey: ['log-sinks'],
    queryFn: ({ signal }) => call(logSinkEndpoints.listLogSinks, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ enabled }) => enabled) ? LOOK_MS : false),
  })
  return (
    <div className={styles.after}>
      {data?.map(state => (
        <SinkLine key={state.sink} state={state} isSaved={isSaved} />
      ))}
    </div>
  )
}

function SinkLine({ state, isSaved }: { state: LogSinkState; isSaved: boolean }) {
  const t = useText(operationText)
  const shared = useText(settingsText)
  const queryClient = useQueryClient()
  const { sink, enabled, problem } = state
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(logSinkEndpoints.testLogSink, { body: { sink } }),
    onSuccess: () => toast.success(t('sink.tested', { sink: names[sink] })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['log-sinks'] }),
  })
  const tone = !enabled ? 'grey' : problem ? 'red' : 'green'
  return (
    <div className={styles.sink}>
      <b>{names[sink]}</b>
      <Tag tone={tone} short>
        {t(!enabled ? 'sink.off' : problem ? 'sink.failing' : 'sink.on')}
      </Tag>
      <SinkWords state={state} />
      <Button
        variant="default"
        size="xs"
        loading={isPending}
        aria-label={t('sink.test', { sink: names[sink] })}
        onClick={() => (isSaved ? mutate() : toast.warning(shared('mailSaveFirst')))}
      >
        {t('testSend')}
      </Button>
    </div>
  )
}

function SinkWords({ state }: { state: LogSinkState }) {
  const t = useText(operationText)
  const { enabled, delivered_to, delivered_at, behind, problem, failing_since } = state
  const far = delivered_at
    ? t('sink.far', { id: String(delivered_to), time: formatTime(delivered_at), behind: formatCount(behind) })
    : t('sink.nothing', { behind: formatCount(behind) })
  return (
    <div className={styles.sinkWords}>
      {(enabled || delivered_at > 0) && <span>{far}</span>}
      {problem && <span>{t('sink.problem', { problem, since: formatTime(failing_since) })}</span>}
    </div>
  )
}
