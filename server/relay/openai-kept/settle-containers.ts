import type { Admitted } from '../callers/authorise.ts'
import { noteRefusal } from '../order/note-refusal.ts'
import type { RelayParts } from '../parts.ts'
import type { HostedTool } from '../request/hosted-tools.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Outline } from '../request/look-at-request.ts'
import { type ContainerRow, containersNamed, knownContainers } from './container-rows.ts'

/**
 * What is paid for a container that a request names and that is the caller's: nothing while its time is paid, and then
 * by its size, which the request does not say. Of one that is not known here the answer tells.
 */
export async function settleContainers(
  parts: RelayParts,
  incoming: Incoming,
  admitted: Admitted,
  outline: Outline,
): Promise<Outline> {
  const { hosted = [] } = outline
  try {
    const known = await knownContainers(parts, admitted.caller, containersNamed(hosted))
    return { ...outline, hosted: hosted.map(tool => settle(tool, known, parts.now())) }
  } catch (error) {
    noteRefusal(parts, incoming, admitted, outline, error)
    throw error
  }
}

function settle(tool: HostedTool, known: ReadonlyMap<string, ContainerRow>, now: number): HostedTool {
  const row = tool.container === undefined ? undefined : known.get(tool.container)
  return row ? { ...tool, settled: now < row.paid_until ? 0 : row.gigabytes } : tool
}
