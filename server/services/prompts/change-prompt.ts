import type { Selectable, Transaction } from 'kysely'
import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import type { Prompts } from '../../store/prompt-schema.ts'
import type { Schema } from '../../store/schema.ts'
import { lockUser } from '../accounts/lock-user.ts'
import type { App } from '../app.ts'
import type { Caller, CallOf } from '../call.ts'
import { readId } from '../row-id.ts'
import { staysMember } from '../teams/act-for-team.ts'
import { mayChange } from './own-prompts.ts'

/** An account, and of a team's who acts for it. */
export type Keeper = Pick<Caller, 'id' | 'acting'>

type Prompt = Selectable<Prompts>

/** A change of the prompt in the call's path, by who may make it. Every node obeys it as soon as it is made. */
export function changePrompt<Done>(
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

/**
 * One change of an account's prompts at a time: there is a most of them, of their versions and of the room that these
 * take. First the account, then who changes it, as where members are removed.
 */
export async function lockKeeper(app: App, transaction: Transaction<Schema>, caller: Caller): Promise<void> {
  if (!(await lockUser(app, transaction, caller.id))) throw new AppError('row.not-found')
  await staysMember(app.store, transaction, caller)
}

export async function findVersion(
  transaction: Transaction<Schema>,
  id: number,
  version: number,
): Promise<void> {
  const found = await transaction
    .selectFrom('prompt_versions')
    .select('id')
    .where('prompt_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!found) throw new AppError('prompt.no-version', { version })
}
