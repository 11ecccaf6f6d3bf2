import type { PromptMessage, PromptParameters } from '../../contract/prompts.ts'
import type { Store } from '../../server/store/index.ts'

interface Seed {
  readonly name?: string
  readonly messages?: readonly PromptMessage[]
  readonly parameters?: PromptParameters
  readonly model?: string
}

/** A prompt of an account, with its first version in use. */
export async function addPrompt(
  { db }: Pick<Store, 'db'>,
  userId: number,
  { name = 'hello', messages, parameters = {}, model = '' }: Seed = {},
): Promise<number> {
  const row = { user_id: userId, name, version: 1, newest: 1, created_by: 0, created_at: 1, updated_at: 1 }
  await db.insertInto('prompts').values(row).execute()
  const { id } = await db
    .selectFrom('prompts')
    .select('id')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const said = messages ?? [{ role: 'user', content: 'Hello {{name}}' }]
  const content = JSON.stringify({ messages: said, parameters })
  await db
    .insertInto('prompt_versions')
    .values({
      ...{ prompt_id: id, version: 1, model, content, size: content.length },
      ...{ note: '', created_by: 0, created_at: 1 },
    })
    .execute()
  return id
}
