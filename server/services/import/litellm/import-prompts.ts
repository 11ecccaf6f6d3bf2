import type { Transaction } from 'kysely'
import { promptEndpoints, promptName } from '../../../../contract/prompts.ts'
import { roles } from '../../../../contract/users.ts'
import { AppError } from '../../../errors.ts'
import type { Store } from '../../../store/index.ts'
import type { Schema } from '../../../store/schema.ts'
import { lockUser } from '../../accounts/lock-user.ts'
import { insertPrompt } from '../../prompts/prompt-changes.ts'
import { ImportRefused, type ImportReport } from '../report.ts'
import { CannotCome } from './place.ts'
import { type ForeignPrompt, type PlannedPrompt, readDotprompt } from './read-dotprompt.ts'

interface Parts {
  readonly store: Store
  /** The account that is to keep them, by its name; the super administrator's where none is said. */
  readonly promptsFor?: string | undefined
  /** Seconds since 1970. */
  now(): number
}

/**
 * There a prompt is everybody's, here it is an account's. One whose name that account has already is left as it is.
 */
export async function takePrompts(
  parts: Parts,
  transaction: Transaction<Schema>,
  prompts: readonly ForeignPrompt[],
  report: ImportReport,
): Promise<void> {
  if (prompts.length === 0) return
  const keeper = await findKeeper(parts, transaction)
  if (!keeper) {
    report.note('prompts: left out: nobody is here yet to keep them; start once, and import again')
    return
  }
  const known = await transaction
    .selectFrom('prompts')
    .select('name')
    .where('user_id', '=', keeper.id)
    .execute()
  const taken = new Set(known.map(({ name }) => name))
  const came = new Set<string>()
  for (const foreign of prompts) {
    const told = (what: string): void => report.note(`prompt ${foreign.name.slice(0, 100)}: ${what}`)
    try {
      const { odd, ...prompt } = plan(foreign)
      if (came.has(prompt.name)) throw new CannotCome(`another is called ${prompt.name} here`)
      if (taken.has(prompt.name)) continue
      await insertPrompt(parts, transaction, { id: keeper.id, acting: undefined }, prompt)
      came.add(prompt.name)
      if (prompt.name !== foreign.name) told(`is called ${prompt.name} here`)
      odd.forEach(told)
    } catch (error) {
      if (!(error instanceof CannotCome || error instanceof AppError)) throw error
      told(`left out: ${error.message}`)
    }
  }
  report.add('prompts', came.size)
  if (came.size > 0) report.note(`prompts: ${keeper.username} keeps them: tokens of that account call them`)
}

/** By the rules for one that is entered by hand. */
function plan(foreign: ForeignPrompt) {
  const name = foreign.name.trim().replaceAll(/[^A-Za-z0-9._-]+/g, '-')
  if (!promptName.test(name)) throw new CannotCome('no prompt can be called so here')
  const { odd, ...planned }: PlannedPrompt = readDotprompt(foreign)
  const { data, error } = promptEndpoints.createPrompt.body.safeParse({ name, ...planned, note: 'LiteLLM' })
  if (data) return { ...data, odd }
  const fields = [...new Set(error.issues.map(({ path }) => path.slice(0, 2).join('.')))]
  throw new CannotCome(`what it says cannot be had here: ${fields.join(', ')}`)
}

async function findKeeper(parts: Parts, transaction: Transaction<Schema>) {
  const { promptsFor } = parts
  const found = await transaction
    .selectFrom('users')
    .select('id')
    .where('deleted_at', 'is', null)
    .$if(promptsFor === undefined, query => query.where('role', '=', roles.root))
    .$if(promptsFor !== undefined, query => query.where('username', '=', promptsFor ?? ''))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (promptsFor !== undefined && !found) throw new ImportRefused(`There is no account named ${promptsFor}.`)
  return found && lockUser(parts, transaction, found.id)
}
