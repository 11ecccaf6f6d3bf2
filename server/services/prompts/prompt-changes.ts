import type { Selectable, Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import {
  LARGEST_PROMPT,
  MOST_PROMPT_ROOM,
  MOST_PROMPT_VERSIONS,
  MOST_PROMPTS,
  type PromptMessage,
  type PromptParameters,
} from '../../../contract/prompts.ts'
import { AppError } from '../../errors.ts'
import type { Prompts } from '../../store/prompt-schema.ts'
import type { Schema } from '../../store/schema.ts'
import { lockUser } from '../accounts/lock-user.ts'
import type { App } from '../app.ts'
import type { Caller, CallOf } from '../call.ts'
import { countRows } from '../paging.ts'
import { refuseClash } from '../refuse-clash.ts'
import { readId } from '../row-id.ts'
import { staysMember } from '../teams/act-for-team.ts'
import { mayChange, readVersion } from './own-prompts.ts'

type Prompt = Selectable<Prompts>

interface Content {
  readonly messages: readonly PromptMessage[]
  readonly parameters: PromptParameters
  readonly model: string
  readonly note: string
}

export async function createPrompt(app: App, call: CallOf<Endpoints['createPrompt']>): Promise<number> {
  const { caller, body } = call
  const { name, ...content } = body
  checkMessages(content.messages)
  return refuseClash(
    app.store.change('prompts', async transaction => {
      await lockKeeper(app, transaction, caller)
      const own = transaction.selectFrom('prompts').where('user_id', '=', caller.id)
      if ((await countRows(own)) >= MOST_PROMPTS) throw new AppError('prompt.most', { most: MOST_PROMPTS })
      const at = app.now()
      await transaction
        .insertInto('prompts')
        .values({
          user_id: caller.id,
          name,
          version: 1,
          newest: 1,
          created_by: caller.acting?.person.id ?? 0,
          created_at: at,
          updated_at: at,
        })
        .execute()
      const { id } = await own.select('id').where('name', '=', name).executeTakeFirstOrThrow()
      await writeVersion(app, transaction, caller, { id, version: 1 }, content)
      return id
    }),
    'prompt.name-taken',
    { name },
  )
}

/** Resolves with the number of the version. */
export async function addVersion(app: App, call: CallOf<Endpoints['addPromptVersion']>): Promise<number> {
  const { use, ...content } = call.body
  checkMessages(content.messages)
  return changePrompt(app, call, async (transaction, prompt) => {
    const { id } = prompt
    const version = prompt.newest + 1
    const there = transaction.selectFrom('prompt_versions').where('prompt_id', '=', id)
    if ((await countRows(there)) >= MOST_PROMPT_VERSIONS)
      throw new AppError('prompt.most-versions', { most: MOST_PROMPT_VERSIONS })
    await writeVersion(app, transaction, call.caller, { id, version }, content)
    const set = { newest: version, updated_at: app.now(), ...(use && { version }) }
    await transaction.updateTable('prompts').set(set).where('id', '=', id).execute()
    return version
  })
}

export async function updatePrompt(app: App, call: CallOf<Endpoints['updatePrompt']>): Promise<void> {
  const { name, version } = call.body
  await refuseClash(
    changePrompt(app, call, async (transaction, { id }) => {
      if (version !== undefined) await findVersion(transaction, id, version)
      const set = {
        updated_at: app.now(),
        ...(name !== undefined && { name }),
        ...(version !== undefined && { version }),
      }
      await transaction.updateTable('prompts').set(set).where('id', '=', id).execute()
    }),
    'prompt.name-taken',
    { name: name ?? '' },
  )
}

export async function deletePrompt(app: App, call: CallOf<Endpoints['deletePrompt']>): Promise<void> {
  await changePrompt(app, call, async (transaction, { id }) => {
    await transaction.deleteFrom('prompt_versions').where('prompt_id', '=', id).execute()
    await transaction.deleteFrom('prompts').where('id', '=', id).execute()
  })
}

export async function deleteVersion(app: App, call: CallOf<Endpoints['deletePromptVersion']>): Promise<void> {
  const version = readVersion(call.params)
  await changePrompt(app, call, async (transaction, prompt) => {
    await findVersion(transaction, prompt.id, version)
    if (prompt.version === version) throw new AppError('prompt.in-use', { version })
    await transaction
      .deleteFrom('prompt_versions')
      .where('prompt_id', '=', prompt.id)
      .where('version', '=', version)
      .execute()
  })
}

/**
 * One change of an account's prompts at a time: there is a most of them, of their versions and of the room that these
 * take. First the account, then who changes it, as where members are removed.
 */
async function lockKeeper(app: App, transaction: Transaction<Schema>, caller: Caller): Promise<void> {
  if (!(await lockUser(app, transaction, caller.id))) throw new AppError('row.not-found')
  await staysMember(app.store, transaction, caller)
}

/** With the account that has kept them. */
export async function deletePromptsOf(transaction: Transaction<Schema>, userId: number): Promise<void> {
  const theirs = transaction.selectFrom('prompts').select('id').where('user_id', '=', userId)
  await transaction.deleteFrom('prompt_versions').where('prompt_id', 'in', theirs).execute()
  await transaction.deleteFrom('prompts').where('user_id', '=', userId).execute()
}

function changePrompt<Done>(
  app: App,
  { caller, params }: Pick<CallOf<Endpoints['deletePrompt']>, 'caller' | 'params'>,
  work: (transaction: Transaction<Schema>, prompt: Prompt) => Promise<Done>,
): Promise<Done> {
  const id = readId(params)
  return app.store.change('prompts', async transaction => {
    await lockKeeper(app, transaction, caller)
    const prompt = await transaction
      .selectFrom('prompts')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', caller.id)
      .executeTakeFirst()
    if (!prompt) throw new AppError('row.not-found')
    if (!mayChange(caller, prompt)) throw new AppError('prompt.not-yours')
    return work(transaction, prompt)
  })
}

async function writeVersion(
  app: App,
  transaction: Transaction<Schema>,
  caller: Caller,
  { id, version }: { readonly id: number; readonly version: number },
  { messages, parameters, model, note }: Content,
): Promise<void> {
  const content = JSON.stringify({ messages, parameters })
  await leaveRoom(transaction, caller.id, content.length)
  await transaction
    .insertInto('prompt_versions')
    .values({
      prompt_id: id,
      version,
      model,
      content,
      size: content.length,
      note,
      created_by: caller.acting?.person.id ?? 0,
      created_at: app.now(),
    })
    .execute()
}

async function leaveRoom(transaction: Transaction<Schema>, userId: number, more: number): Promise<void> {
  const { taken } = await transaction
    .selectFrom('prompt_versions')
    .innerJoin('prompts', 'prompts.id', 'prompt_versions.prompt_id')
    .select(row => row.fn.sum<number | string | null>('prompt_versions.size').as('taken'))
    .where('prompts.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (Number(taken ?? 0) + more > MOST_PROMPT_ROOM)
    throw new AppError('prompt.no-room', { most: MOST_PROMPT_ROOM })
}

async function findVersion(transaction: Transaction<Schema>, id: number, version: number): Promise<void> {
  const found = await transaction
    .selectFrom('prompt_versions')
    .select('id')
    .where('prompt_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!found) throw new AppError('prompt.no-version', { version })
}

/** Only chat knows instructions in the midst of a conversation, and prompts are for every dialect. */
function checkMessages(messages: readonly PromptMessage[]): void {
  const said = messages.findIndex(({ role }) => role !== 'system')
  if (said >= 0 && messages.slice(said).some(({ role }) => role === 'system'))
    throw new AppError('prompt.system-first')
  const length = messages.reduce((sum, { content }) => sum + content.length, 0)
  if (length > LARGEST_PROMPT) throw new AppError('prompt.large', { most: LARGEST_PROMPT })
}
