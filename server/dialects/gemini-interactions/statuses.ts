import { asText, type JsonObject } from '../json.ts'

export const STATUS_UPDATE = 'interaction.status_update'

const running: ReadonlySet<string> = new Set(['queued', 'in_progress'])
/** Some of these wait for the next interaction: this one is over all the same. */
const over: ReadonlySet<string> = new Set([
  ...['completed', 'incomplete', 'failed', 'cancelled'],
  ...['requires_action', 'requires_continuation', 'budget_exceeded'],
])

export function isRunning({ status }: JsonObject): boolean {
  return running.has(asText(status) ?? '')
}

/**
 * What an event says that tells of the status alone, where that is one of an end: the end, if no event follows that tells
 * of the whole.
 */
export function endByStatus(event: JsonObject, type = asText(event.event_type)): JsonObject | undefined {
  if (type !== STATUS_UPDATE || !isOver(event)) return undefined
  const { interaction_id: id = null, status = null, usage } = event
  return { id, status, ...(usage !== undefined && { usage }) }
}

export function isOver({ status }: JsonObject): boolean {
  return over.has(asText(status) ?? '')
}
