import { optionEndpoints } from '../../../contract/options.ts'
import { ApiError, call, messageOf } from '../../api.ts'

export interface SaveResult {
  readonly saved: readonly string[]
  /** Key to what the server said. */
  readonly failed: Readonly<Record<string, string>>
}

/** One by one and in order; one that fails does not hold up the others. */
export async function saveOptions(changes: readonly { key: string; value: string }[]): Promise<SaveResult> {
  const saved: string[] = []
  const failed: Record<string, string> = {}
  for (const change of changes) {
    try {
      await call(optionEndpoints.saveOption, { body: change })
      saved.push(change.key)
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'logged-out') throw error
      failed[change.key] = messageOf(error)
    }
  }
  return { saved, failed }
}
