import type { Caller } from '../callers/caller.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import { readLabels } from './read-labels.ts'

export interface Labels {
  /** By which the call is counted, as its log row has them. */
  readonly counted: string
  /** As they were given, where that is something else. */
  readonly given: string | undefined
}

/** What a call is for; undefined where nobody has said. `tags` are those of its body. */
export function labelsOf(
  { labels: known, now }: Pick<RelayParts, 'labels' | 'now'>,
  { request }: Pick<Incoming, 'request'>,
  { userId, labels: fixed }: Pick<Caller, 'userId' | 'labels'>,
  tags?: readonly string[],
): Labels | undefined {
  const labels = readLabels(request, fixed, tags)
  if (labels === undefined) return undefined
  // Those of a token are as few as tokens are.
  if (labels === fixed) return { counted: labels, given: undefined }
  const counted = known.count(userId, labels, fixed, now())
  return { counted, given: counted === labels ? undefined : labels }
}
