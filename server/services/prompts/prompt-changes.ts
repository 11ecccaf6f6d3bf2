import type { Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import {
  LARGEST_PROMPT,
  MOST_PROMPT_ROOM,
  MOST_PROMPT_VERSIONS,
  MOST_PROMPTS,
  PRODUCTION,
  type PromptMessage,
  type PromptParameters,
} from '../../../contract/prompts.ts'
import { AppError } from '../../errors.ts'
import type { Schema } from '../../store/schema.ts'
import type { App } from '../app.ts'
import type { CallOf } from '../call.ts'
import { countRows } from '../paging.ts'
import { refuseClash } from '../refuse-clash.ts'
import { changePrompt, findVersion, type Keeper, lockKeeper } from './change-prompt.ts'
import { noteReleases, release } from './move-labels.ts'
import { readVersion } from './own-prompts.ts'

interface Content {
  readonly messages: readonly PromptMessage[]
  readonly parameters: PromptParameters
  readonly model: string
  readonly note: string
}

export async function createPrompt(app: App, call: CallOf<Endpoints['createPrompt']>): Promise<number> {
  const { caller, body } = call
  const { name, labels, ...content } = body
  return refuseClash(
    app.store.change('prompts', async transaction => {
      await lockKeeper(app, transaction, caller)
      const id = await insertPrompt(app, transaction, caller, { name, ...content })
      await release(app, transaction, call, { id, version: 1 }, labels, 1)
      return id
    }),
    'prompt.name-taken',
    { name },
  )
}

/** With its first version in use. Resolves with its id. */
export async function insertPrompt(
  app: Pick<App, 'now'>,
  transaction: Transaction<Schema>,
  keeper: Keeper,
  { name, ...content }: Content & { readonly name: string },
): Promise<number> {
  checkMessages(content.messages)
  const own = transaction.selectFrom('prompts').where('user_id', '=', keeper.id)
  if ((await countRows(own)) >= MOST_PROMPTS) throw new AppError('prompt.most', { most: MOST_PROMPTS })
  // Before there is anything of it: whoever takes over many goes on without this one.
  await leaveRoom(transaction, keeper.id, content)
  const at = app.now()
  await transaction
    .insertInto('prompts')
    .values({
      user_id: keeper.id,
      name,
      version: 1,
      newest: 1,
      created_by: keeper.acting?.person.id ?? 0,
      created_at: at,
      updated_at: at,
    })
    .execute()
  const { id } = await own.select('id').where('name', '=', name).executeTakeFirstOrThrow()
  await writeVersion(app, transaction, keeper, { id, version: 1 }, content)
  await noteReleases(app, transaction, keeper, id, [{ label: PRODUCTION, from: 0, to: 1 }])
  return id
}

/** Resolves with the number of the version. */
export async function addVersion(app: App, call: CallOf<Endpoints['addPromptVersion']>): Promise<number> {
  const { use, labels, ...content } = call.body
  checkMessages(content.messages)
  return changePrompt(app, call, async (transaction, prompt) => {
    const { id } = prompt
    const version = prompt.newest + 1
    const there = transaction.selectFrom('prompt_versions').where('prompt_id', '=', id)
    if ((await countRows(there)) >= MOST_PROMPT_VERSIONS)
      throw new AppError('prompt.most-versions', { most: MOST_PROMPT_VERSIONS })
    await leaveRoom(transaction, call.caller.id, content)
    await writeVersion(app, transaction, call.caller, { id, version }, content)
    const set = { newest: version, updated_at: app.now() }
    await transaction.updateTable('prompts').set(set).where('id', '=', id).execute()
    await release(app, transaction, call, prompt, use ? [PRODUCTION, ...labels] : labels, version)
    return version
  })
}

export async function updatePrompt(app: App, call: CallOf<Endpoints['updatePrompt']>): Promise<void> {
  const { name, version } = call.body
  await refuseClash(
    changePrompt(app, call, async (transaction, prompt) => {
      const { id } = prompt
      if (version !== undefined) await findVersion(transaction, id, version)
      const set = { updated_at: app.now(), ...(name !== undefined && { name }) }
      await transaction.updateTable('prompts').set(set).where('id', '=', id).execute()
      if (version !== undefined) await release(app, transaction, call, prompt, [PRODUCTION], version)
    }),
    'prompt.name-taken',
    { name: name ?? '' },
  )
}

/** What goes with a prompt. */
const ofVersions = ['prompt_versions', 'prompt_usage_daily', 'prompt_usage_by_token'] as const
const ofPrompts = [...ofVersions, 'prompt_labels', 'prompt_releases'] as const

export async function deletePrompt(app: App, call: CallOf<Endpoints['deletePrompt']>): Promise<void> {
  await changePrompt(app, call, async (transaction, { id }) => {
    for (const table of ofPrompts) await transaction.deleteFrom(table).where('prompt_id', '=', id).execute()
    await transaction.deleteFrom('prompts').where('id', '=', id).execute()
  })
}

export async function deleteVersion(app: App, call: CallOf<Endpoints['deletePromptVersion']>): Promise<void> {
  const version = readVersion(call.params)
  await changePrompt(app, call, async (transaction, prompt) => {
    await findVersion(transaction, prompt.id, version)
    if (prompt.version === version) throw new AppError('prompt.in-use', { version })
    const labels = await transaction
      .selectFrom('prompt_labels')
      .select('label')
      .where('prompt_id', '=', prompt.id)
      .where('version', '=', version)
      .execute()
    if (labels.length > 0)
      throw new AppError('prompt.labelled', { version, labels: labels.map(({ label }) => label).join(', ') })
    for (const table of ofVersions)
      await transaction
        .deleteFrom(table)
        .where('prompt_id', '=', prompt.id)
        .where('version', '=', version)
        .execute()
  })
}

/** With the account that has kept them. */
export async function deletePromptsOf(transaction: Transaction<Schema>, userId: number): Promise<void> {
  const theirs = transaction.selectFrom('prompts').select('id').where('user_id', '=', userId)
  for (const table of ofPrompts)
    await transaction.deleteFrom(table).where('prompt_id', 'in', theirs).execute()
  await transaction.deleteFrom('prompts').where('user_id', '=', userId).execute()
}

async function writeVersion(
  app: Pick<App, 'now'>,
  transaction: Transaction<Schema>,
  keeper: Keeper,
  { id, version }: { readonly id: number; readonly version: number },
  { model, note, ...said }: Content,
): Promise<void> {
  const content = written(said)
  await transaction
    .insertInto('prompt_versions')
    .values({
      prompt_id: id,
      version,
      model,
      content,
      size: content.length,
      note,
      created_by: keeper.acting?.person.id ?? 0,
      created_at: app.now(),
    })
    .execute()
}

function written({ messages, parameters }: Pick<Content, 'messages' | 'parameters'>): string {
  return JSON.stringify({ messages, parameters })
}

async function leaveRoom(transaction: Transaction<Schema>, userId: number, content: Content): Promise<void> {
  const { taken } = await transaction
    .selectFrom('prompt_versions')
    .innerJoin('prompts', 'prompts.id', 'prompt_versions.prompt_id')
    .select(row => row.fn.sum<number | string | null>('prompt_versions.size').as('taken'))
    .where('prompts.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(taken ?? 0) + written(content).length > MOST_PROMPT_ROOM)
    throw new AppError('prompt.no-room', { most: MOST_PROMPT_ROOM })
}

/** Only chat knows instructions in the midst of a conversation, and prompts are for every dialect. */
function checkMessages(messages: readonly PromptMessage[]): void {
  const said = messages.findIndex(({ role }) => role !== 'system')
  if (said >= 0 && messages.slice(said).some(({ role }) => role === 'system'))
    throw new AppError('prompt.system-first')
  const length = messages.reduce((sum, { content }) => sum + content.length, 0)
  if (length > LARGEST_PROMPT) throw new AppError('prompt.large', { most: LARGEST_PROMPT })
}
