import type { Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import {
  LATEST,
  MOST_PROMPT_LABELS,
  MOST_PROMPT_RELEASES,
  PRODUCTION,
  promptLabel,
} from '../../../contract/prompts.ts'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'
import { putRow } from '../../store/upsert.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../audit-record.ts'
import type { CallOf } from '../call.ts'
import { changePrompt, findVersion, type Keeper } from './change-prompt.ts'

/** With `from`, only if it still stands there: who rolls back has seen what is rolled back. So with taking one off. */
export async function movePromptLabel(app: App, call: CallOf<Endpoints['movePromptLabel']>): Promise<void> {
  const label = readLabel(call.params)
  const { version, from } = call.body
  await changePrompt(app, call, async (transaction, prompt) => {
    await findVersion(transaction, prompt.id, version)
    const stands = await standsAt(transaction, prompt, label)
    if (from !== undefined && stands !== from) throw new AppError('prompt.label-moved', { label })
    await release(app, transaction, call, prompt, [label], version)
  })
}

export async function removePromptLabel(
  app: App,
  call: CallOf<Endpoints['removePromptLabel']>,
): Promise<void> {
  const label = readLabel(call.params)
  if (label === PRODUCTION) throw new AppError('prompt.keeps-production')
  await changePrompt(app, call, async (transaction, prompt) => {
    const from = await standsAt(transaction, prompt, label)
    if (from === 0) throw new AppError('prompt.no-label', { label })
    if (call.query.from !== undefined && call.query.from !== from)
      throw new AppError('prompt.label-moved', { label })
    await transaction
      .deleteFrom('prompt_labels')
      .where('prompt_id', '=', prompt.id)
      .where('label', '=', label)
      .execute()
    const set = { updated_at: app.now() }
    await transaction.updateTable('prompts').set(set).where('id', '=', prompt.id).execute()
    await noteReleases(app, transaction, call.caller, prompt.id, [{ label, from, to: 0 }])
    await auditReleases(app, transaction, call, prompt.id, [{ label, from, to: 0 }])
  })
}

interface Move {
  readonly label: string
  readonly from: number
  readonly to: number
}

type Doer = Pick<CallOf<Endpoints['movePromptLabel']>, 'caller' | 'address'>

/** Moves labels to a version. Where one stands already nothing is done, and nothing told. Last in its transaction. */
export async function release(
  app: App,
  transaction: Transaction<Schema>,
  doer: Doer,
  prompt: { readonly id: number; readonly version: number },
  labels: readonly string[],
  to: number,
): Promise<void> {
  const moves: Move[] = []
  for (const label of new Set(labels)) {
    const from = await standsAt(transaction, prompt, label)
    if (from === to) continue
    await put(app, transaction, prompt.id, label, to)
    moves.push({ label, from, to })
  }
  if (moves.length === 0) return
  await refuseTooMany(transaction, prompt.id)
  await noteReleases(app, transaction, doer.caller, prompt.id, moves)
  await auditReleases(app, transaction, doer, prompt.id, moves)
}

async function put(app: App, transaction: Transaction<Schema>, id: number, label: string, version: number) {
  const set = { updated_at: app.now(), ...(label === PRODUCTION && { version }) }
  await transaction.updateTable('prompts').set(set).where('id', '=', id).execute()
  if (label === PRODUCTION) return
  await putRow(transaction, app.store.engine, 'prompt_labels', { prompt_id: id, label }, { version })
}

/** The version that a label is on; 0 for none. */
async function standsAt(
  transaction: Transaction<Schema>,
  prompt: { readonly id: number; readonly version: number },
  label: string,
): Promise<number> {
  if (label === PRODUCTION) return prompt.version
  const found = await transaction
    .selectFrom('prompt_labels')
    .select('version')
    .where('prompt_id', '=', prompt.id)
    .where('label', '=', label)
    .executeTakeFirst()
  return found?.version ?? 0
}

async function refuseTooMany(transaction: Transaction<Schema>, id: number): Promise<void> {
  const there = await transaction
    .selectFrom('prompt_labels')
    .select('label')
    .where('prompt_id', '=', id)
    .execute()
  if (there.length > MOST_PROMPT_LABELS)
    throw new AppError('prompt.most-labels', { most: MOST_PROMPT_LABELS })
}

/** The prompt's own history, for those who keep it. */
export async function noteReleases(
  app: Pick<App, 'now'>,
  transaction: Transaction<Schema>,
  keeper: Keeper,
  id: number,
  moves: readonly Move[],
): Promise<void> {
  const row = { prompt_id: id, created_by: keeper.acting?.person.id ?? 0, created_at: app.now() }
  await transaction
    .insertInto('prompt_releases')
    .values(moves.map(({ label, from, to }) => ({ ...row, label, from_version: from, to_version: to })))
    .execute()
  const oldest = await transaction
    .selectFrom('prompt_releases')
    .select('id')
    .where('prompt_id', '=', id)
    .orderBy('id', 'desc')
    .offset(MOST_PROMPT_RELEASES)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await transaction
    .deleteFrom('prompt_releases')
    .where('prompt_id', '=', id)
    .where('id', '<=', oldest.id)
    .execute()
}

/** The operator's record, which nobody can alter unseen. */
async function auditReleases(
  app: App,
  transaction: Transaction<Schema>,
  doer: Doer,
  id: number,
  moves: readonly Move[],
): Promise<void> {
  // As text: a label may be called like what is masked there.
  const side = (of: 'from' | 'to') => ({
    labels: moves.map(move => `${move.label} ${move[of] || '–'}`).join(', '),
  })
  const event = { subject: `prompt:${id}`, before: side('from'), after: side('to') }
  await recordAudit(app, doer, { action: 'prompt.release', ...event }, transaction)
}

/** The label in a path. `latest` stands nowhere by itself. */
function readLabel({ label = '' }: Readonly<Record<string, string>>): string {
  if (!promptLabel.test(label) || label === LATEST) throw new AppError('prompt.wrong-label')
  return label
}
