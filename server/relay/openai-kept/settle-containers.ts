import type { JsonObject } from '../../dialects/json.ts'
import { containersMet } from '../../dialects/openai-responses/stored-items.ts'
import type { Admitted } from '../callers/authorise.ts'
import { noteRefusal } from '../order/note-refusal.ts'
import type { RelayParts } from '../parts.ts'
import { type HostedTool, runsInContainer } from '../request/hosted-tools.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Outline } from '../request/look-at-request.ts'
import { type ContainerRow, containersNamed, knownContainers, unpaidSince } from './container-rows.ts'

/**
 * What is paid for a container that a request names and that is the caller's: nothing while its time is paid, and then
 * by its size, which the request does not say. Of one that is not known here the answer tells. One that the request only
 * tells of may be gone on in by the vendor itself: then it is paid by its size too.
 */
export async function settleContainers(
  parts: RelayParts,
  incoming: Incoming,
  admitted: Admitted,
  outline: Outline,
  body: JsonObject,
): Promise<Outline> {
  const { hosted = [] } = outline
  const met = containersMet(body) ?? []
  const named = containersNamed(hosted)
  if (named.length === 0 && met.length === 0) return outline
  try {
    const known = await knownContainers(parts, admitted.caller, [...named, ...met])
    const largest = Math.max(0, ...met.map(id => known.get(id)?.gigabytes ?? 0))
    const settled: HostedTool[] = []
    for (const tool of hosted) settled.push(await settle(parts, tool, { known, largest, before: settled }))
    return { ...outline, hosted: settled }
  } catch (error) {
    noteRefusal(parts, incoming, admitted, outline, error)
    throw error
  }
}

interface Containers {
  readonly known: ReadonlyMap<string, ContainerRow>
  /** Of those that the request only tells of, in gigabytes. */
  readonly largest: number
  /** Tools that are settled already. */
  readonly before: readonly HostedTool[]
}

async function settle(
  { store, now }: RelayParts,
  tool: HostedTool,
  { known, largest, before }: Containers,
): Promise<HostedTool> {
  if (!runsInContainer(tool)) return tool
  if (tool.container === undefined) return largest > tool.certain ? { ...tool, most: largest } : tool
  const row = known.get(tool.container)
  if (!row) return tool
  // Of several tools in one container, the first pays for its time.
  if (before.some(({ container }) => container === tool.container)) return { ...tool, settled: 0 }
  const { mark, gigabytes } = row
  const since = await unpaidSince(store.db, row, now())
  return { ...tool, settled: 0, ...(since !== undefined && { due: { mark, since, gigabytes } }) }
}
