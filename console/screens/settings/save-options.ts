import { optionEndpoints } from '../../../contract/options.ts'
import { ApiError, call, messageOf } from '../../api.ts'
import type { SavedText } from './draft.ts'

export interface SaveResult {
  readonly saved: readonly SavedText[]
  /** Key to what the server said. */
  readonly failed: Readonly<Record<string, string>>
  /** Of these, what somebody else has saved meanwhile. */
  readonly edited: readonly string[]
}

interface Change {
  readonly key: string
  readonly value: string
  /** Of what the edit began from. */
  readonly revision?: string | undefined
}

const EDITED = 'OPTION_EDITED'

/**
 * One by one and in order; one that fails does not hold up the others. What was refused is tried again once they are
 * saved: the lower end of a range is, before the upper one has made room for it.
 */
export async function saveOptions(changes: readonly Change[]): Promise<SaveResult> {
  const saved: SavedText[] = []
  let failed: Record<string, string> = {}
  let edited: string[] = []
  const save = async (some: readonly Change[]): Promise<void> => {
    failed = {}
    edited = []
    for (const change of some) {
      try {
        const { revision } = await call(optionEndpoints.saveOption, { body: change })
        saved.push({ key: change.key, text: change.value, revision })
      } catch (error) {
        if (error instanceof ApiError && error.kind === 'logged-out') throw error
        failed[change.key] = messageOf(error)
        if (error instanceof ApiError && error.code === EDITED) edited.push(change.key)
      }
    }
  }
  await save(changes)
  if (saved.length > 0) await save(changes.filter(({ key }) => failed[key] !== undefined))
  return { saved, failed, edited }
}
