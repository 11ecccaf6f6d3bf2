import type { TaskView } from '../../../contract/records.ts'
import { tellFailure } from '../../../contract/tell-failure.ts'
import { formatTime } from '../../format.ts'
import { currentLanguage, type TranslateOf } from '../../text.ts'
import { LongText } from '../../ui/content/long-text.tsx'
import { Tag, type Tone } from '../../ui/content/tag.tsx'
import { ChannelId, Duration, Progress, RecordId } from '../../ui/lists/record-cells.tsx'
import type { Column } from '../../ui/table/column.ts'
import type { taskText } from './catalogue.ts'

type TaskTranslate = TranslateOf<typeof taskText>

/** So long a batch may take. */
const BATCH_SECONDS = 86_400

const vendorNames: Record<string, string> = {
  'anthropic-batches': 'Anthropic',
  gemini: 'Gemini',
  suno: 'Suno',
}

const statusTones: Record<string, Tone> = {
  SUCCESS: 'green',
  SUBMITTED: 'yellow',
  QUEUED: 'orange',
  IN_PROGRESS: 'blue',
  FAILURE: 'red',
}

export function taskColumns(t: TaskTranslate, isAdmin: boolean): Column<TaskView>[] {
  const channel: Column<TaskView>[] = isAdmin
    ? [
        {
          id: 'channel',
          header: t('channel'),
          width: 80,
          inCard: 'behind',
          cell: row => <ChannelId id={row.channel_id} />,
        },
      ]
    : []
  return [
    {
      id: 'submitted',
      header: t('submitted'),
      heading: true,
      width: 160,
      cell: row => formatTime(row.submit_time),
    },
    {
      id: 'finished',
      header: t('finished'),
      width: 160,
      inCard: 'behind',
      cell: row => formatTime(row.finish_time),
    },
    {
      id: 'duration',
      header: t('duration'),
      width: 88,
      inCard: 'behind',
      cell: row => (
        <Duration
          start={row.submit_time}
          end={row.finish_time}
          {...(row.action === 'BATCH' ? { long: BATCH_SECONDS } : {})}
        />
      ),
    },
    ...channel,
    {
      id: 'platform',
      header: t('platform'),
      width: 88,
      inCard: 'behind',
      cell: row => <Tag title={platformText(row)}>{platformText(row)}</Tag>,
    },
    {
      id: 'action',
      header: t('action'),
      width: 112,
      inCard: 'beside',
      cell: row => <Tag>{actionText(t, row.action)}</Tag>,
    },
    {
      id: 'id',
      header: t('taskId'),
      inCard: 'behind',
      cell: row => <RecordId id={row.task_id} />,
    },
    {
      id: 'status',
      header: t('status'),
      width: 112,
      inCard: 'beside',
      cell: row => <Tag tone={statusTones[row.status] ?? 'grey'}>{statusText(t, row.status)}</Tag>,
    },
    {
      id: 'progress',
      header: t('progress'),
      width: 112,
      cell: row => <Progress text={row.progress} failed={row.status === 'FAILURE'} />,
    },
    {
      id: 'reason',
      header: t('failReason'),
      width: 136,
      cell: row => (
        <LongText text={tellFailure(row.fail_reason, currentLanguage())} title={t('failReason')} />
      ),
    },
  ]
}

/** Videos are made by many: the model says whose. */
function platformText({ platform, properties }: TaskView): string {
  const { model } = (properties ?? {}) as { model?: unknown }
  if (platform === 'openai-videos' && typeof model === 'string') return model
  if (platform.startsWith('openai-')) return 'OpenAI'
  return vendorNames[platform] ?? (platform || '–')
}

function actionText(t: TaskTranslate, action: string): string {
  if (action === 'MUSIC') return t('actionMusic')
  if (action === 'LYRICS') return t('actionLyrics')
  if (action === 'VIDEO' || action === 'REMIX') return t('actionVideo')
  if (action === 'BATCH') return t('actionBatch')
  return action || t('unknown')
}

function statusText(t: TaskTranslate, status: string): string {
  switch (status) {
    case 'SUCCESS':
      return t('status.SUCCESS')
    case 'NOT_START':
      return t('status.NOT_START')
    case 'SUBMITTED':
      return t('status.SUBMITTED')
    case 'IN_PROGRESS':
      return t('status.IN_PROGRESS')
    case 'FAILURE':
      return t('status.FAILURE')
    case 'QUEUED':
      return t('statusQueued')
    case '':
      return t('statusSubmitting')
    default:
      return t('unknown')
  }
}
