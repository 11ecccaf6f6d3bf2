import { optionEndpoints } from '../../../contract/options.ts'
import { ApiError, call, messageOf } from '../../api.ts'

export interface SaveResult {
  readonly saved: readonly string[]
  /** Key to what the server said. */
  readonly failed: Readonly<Record<string, string>>
}

type Change = { readonly key: string; readonly value: string }

/**
 * One by one and in order; one that fails does not hold up the others. What was refused is tried again once they are
 * saved: the lower end of a range is, before the upper one has made room for it.
 */
export async function saveOptions(changes: readonly Change[]): Promise<SaveResult> {
  const saved: string[] = []
  let failed: Record<string, string> = {}
  const save = async (some: readonly Change[]): Promise<void> => {
    failed = {}
    for (const change of some) {
      try {
        await call(optionEndpoints.saveOption, { body: change })
        saved.push(change.key)
      } catch (error) {
        if (error instanceof ApiError && error.kind === 'logged-out') throw error
        failed[change.key] = messageOf(error)
      }
    }
  }
  await save(changes)
  if (saved.length > 0) await save(changes.filter(({ key }) => failed[key] !== undefined))
  return { saved, failed }
}
