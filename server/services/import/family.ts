import type { ForeignDatabase } from '../../store/foreign-database.ts'
import { ImportRefused } from './report.ts'

/** The older tools number the kinds of channels in two ways: the first one's, and that of those who came of it. */
export type Family = 'one-api' | 'new-api'

/** Both have users and channels; a list of models in a column of this name came with the second. */
export async function familyOf(source: ForeignDatabase): Promise<Family> {
  const [users, channels, tokens] = await Promise.all(
    ['users', 'channels', 'tokens'].map(table => source.columns(table)),
  )
  if (!users?.has('username') || !channels?.has('models') || !tokens?.has('key'))
    throw new ImportRefused('That is no database of one-api, new-api or LiteLLM: it lacks their tables.')
  return tokens.has('model_limits') ? 'new-api' : 'one-api'
}
