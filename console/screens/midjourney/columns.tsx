import type { DrawingView } from '../../../contract/records.ts'
import { tellFailure } from '../../../contract/tell-failure.ts'
import { formatTime } from '../../format.ts'
import { currentLanguage, type TranslateOf } from '../../text.ts'
import { LongText } from '../../ui/content/long-text.tsx'
import { nothing } from '../../ui/content/nothing.tsx'
import { Tag, type Tone } from '../../ui/content/tag.tsx'
import { ChannelId, Duration, Progress, RecordId } from '../../ui/lists/record-cells.tsx'
import type { Column } from '../../ui/table/column.ts'
import type { midjourneyText } from './catalogue.ts'
import { actionWords, statusWords } from './known-values.ts'
import styles from './midjourney.module.css'

export type DrawingTranslate = TranslateOf<typeof midjourneyText>

interface Options {
  isAdmin: boolean
  show(drawing: DrawingView): void
}

const statusTones: Record<string, Tone> = {
  SUCCESS: 'green',
  SUBMITTED: 'yellow',
  IN_PROGRESS: 'blue',
  FAILURE: 'red',
  MODAL: 'yellow',
}
const codeTones: Record<number, Tone> = { 1: 'green', 21: 'lime', 22: 'orange' }

export function drawingColumns(t: DrawingTranslate, { isAdmin, show }: Options): Column<DrawingView>[] {
  const columns: Column<DrawingView>[] = [
    {
      id: 'submitted',
      header: t('submitted'),
      heading: true,
      width: 160,
      cell: row => formatTime(Math.floor(row.submit_time / 1000)),
    },
    {
      id: 'duration',
      header: t('duration'),
      width: 88,
      inCard: 'behind',
      cell: row => <Duration start={row.submit_time / 1000} end={row.finish_time / 1000} />,
    },
  ]
  if (isAdmin)
    columns.push({
      id: 'channel',
      header: t('channel'),
      width: 80,
      inCard: 'behind',
      cell: row => <ChannelId id={row.channel_id} />,
    })
  columns.push(
    {
      id: 'action',
      header: t('action'),
      width: 96,
      inCard: 'beside',
      cell: row => <Tag>{t(actionWords.get(row.action) ?? 'unknown')}</Tag>,
    },
    {
      id: 'id',
      header: t('taskId'),
      width: 124,
      inCard: 'behind',
      cell: row => <RecordId id={row.mj_id} />,
    },
  )
  if (isAdmin)
    columns.push({
      id: 'code',
      header: t('submitResult'),
      width: 104,
      inCard: 'behind',
      cell: row => <Tag tone={codeTones[row.code] ?? 'grey'}>{codeText(t, row.code)}</Tag>,
    })
  columns.push(
    {
      id: 'status',
      header: t('status'),
      width: 124,
      inCard: 'beside',
      cell: row => (
        <Tag tone={statusTones[row.status] ?? 'grey'}>{t(statusWords.get(row.status) ?? 'unknown')}</Tag>
      ),
    },
    {
      id: 'progress',
      header: t('progress'),
      width: 112,
      cell: row => <Progress text={row.progress} failed={row.status === 'FAILURE'} />,
    },
    {
      id: 'image',
      header: t('image'),
      width: 80,
      cell: row =>
        row.image_url ? (
          <button type="button" className={styles.link} onClick={() => show(row)}>
            {t('viewImage')}
          </button>
        ) : (
          nothing
        ),
    },
    {
      id: 'prompt',
      header: t('prompt'),
      inCard: 'plain',
      cell: row => <LongText text={row.prompt} title={t('prompt')} />,
    },
    {
      id: 'promptEn',
      header: t('promptEn'),
      width: 120,
      inCard: 'behind',
      cell: row => <LongText text={row.prompt_en} title={t('promptEn')} />,
    },
    {
      id: 'reason',
      header: t('failReason'),
      width: 120,
      cell: row => (
        <LongText text={tellFailure(row.fail_reason, currentLanguage())} title={t('failReason')} />
      ),
    },
  )
  return columns
}

function codeText(t: DrawingTranslate, code: number): string {
  if (code === 1) return t('code.submitted')
  if (code === 21) return t('code.waiting')
  if (code === 22) return t('code.duplicate')
  return code === 0 ? t('code.not') : t('unknown')
}
