import type { Transaction } from 'kysely'
import type { Json } from '../dialects/json.ts'
import { plainText } from '../ledger/plain-text.ts'
import type { Schema } from '../store/schema.ts'
import type { Book, TaskReport } from './define.ts'

/** A task as its record begins. */
export interface NewRecord {
  readonly id: string
  readonly platform: string
  readonly userId: number
  readonly action: string
  readonly input: string
  /** The client's own word for it, of drawings. */
  readonly state: string
  readonly properties: Readonly<Record<string, Json>>
  readonly quota: number
  /** Seconds. */
  readonly now: number
}

const LONGEST = { action: 40, state: 255, status: 20, progress: 20, text: 100_000 } as const

/** Not submitted yet: drawings say so with code 0, others with no status. */
export async function openRecord(
  transaction: Transaction<Schema>,
  book: Book,
  record: NewRecord,
): Promise<void> {
  const { id, userId, quota, now } = record
  const action = record.action.slice(0, LONGEST.action)
  const shared = {
    user_id: userId,
    action,
    quota,
    channel_id: 0,
    status: '',
    progress: '0%',
    fail_reason: '',
  }
  if (book === 'tasks') {
    const properties = JSON.stringify({ input: plainText(record.input, LONGEST.text), ...record.properties })
    const times = { created_at: now, updated_at: now, submit_time: now }
    await transaction
      .insertInto('tasks')
      .values({
        ...shared,
        ...times,
        task_id: id,
        platform: record.platform,
        properties,
        data: '',
        start_time: 0,
        finish_time: 0,
      })
      .execute()
    return
  }
  await transaction
    .insertInto('midjourneys')
    .values({
      ...shared,
      mj_id: id,
      code: 0,
      prompt: plainText(record.input, LONGEST.text),
      prompt_en: '',
      description: '',
      state: record.state.slice(0, LONGEST.state),
      submit_time: now * 1000,
      start_time: 0,
      finish_time: 0,
      image_url: '',
      buttons: '',
      properties: '',
    })
    .execute()
}

interface Change {
  readonly id: string
  readonly report: TaskReport
  /** Seconds. */
  readonly now: number
  /** Set when an upstream takes it, or refuses. */
  readonly submitted?: { readonly code: number; readonly channelId: number; readonly quota: number }
}

/** What an upstream tells of it; what it leaves out stays as it is. */
export async function updateRecord(
  transaction: Transaction<Schema>,
  book: Book,
  { id, report, now, submitted }: Change,
): Promise<void> {
  const isOver = report.outcome !== 'running'
  const shared = {
    status: plainText(report.status, LONGEST.status),
    progress: plainText(report.progress, LONGEST.progress),
    fail_reason: plainText(report.failReason, LONGEST.text),
    ...(submitted && { channel_id: submitted.channelId, quota: submitted.quota }),
  }
  const started = readTime(report.startedAt)
  const finished = readTime(report.finishedAt) || (isOver ? now * 1000 : 0)
  if (book === 'tasks') {
    await transaction
      .updateTable('tasks')
      .set({
        ...shared,
        updated_at: now,
        ...(started > 0 && { start_time: Math.floor(started / 1000) }),
        ...(finished > 0 && { finish_time: Math.floor(finished / 1000) }),
        ...(report.data !== undefined && { data: JSON.stringify(report.data) }),
      })
      .where('task_id', '=', id)
      .execute()
    return
  }
  await transaction
    .updateTable('midjourneys')
    .set({
      ...shared,
      ...plainTexts(report.drawing),
      ...(submitted && { code: submitted.code }),
      ...(started > 0 && { start_time: started }),
      ...(finished > 0 && { finish_time: finished }),
    })
    .where('mj_id', '=', id)
    .execute()
}

export async function readProgress(
  transaction: Transaction<Schema>,
  book: Book,
  id: string,
): Promise<{ status: string; progress: string } | undefined> {
  const rows =
    book === 'tasks'
      ? transaction.selectFrom('tasks').select(['status', 'progress']).where('task_id', '=', id)
      : transaction.selectFrom('midjourneys').select(['status', 'progress']).where('mj_id', '=', id)
  return rows.executeTakeFirst()
}

/** In milliseconds; 0 for what is no time that can be written down. */
function readTime(value: number): number {
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** What an upstream says must not keep the books from being written, whatever is in it. */
function plainTexts<Fields extends object>(fields: Fields = {} as Fields): Fields {
  const plain = Object.entries(fields).map(([name, text]) => [name, plainText(String(text))])
  return Object.fromEntries(plain) as Fields
}
