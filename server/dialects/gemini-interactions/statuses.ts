import { asText, type JsonObject } from '../json.ts'

const running: ReadonlySet<string> = new Set(['queued', 'in_progress'])
/** Some of these wait for the next interaction: this one is over all the same. */
const over: ReadonlySet<string> = new Set([
  ...['completed', 'incomplete', 'failed', 'cancelled'],
  ...['requires_action', 'requires_continuation', 'budget_exceeded'],
])

export function isRunning({ status }: JsonObject): boolean {
  return running.has(asText(status) ?? '')
}

export function isOver({ status }: JsonObject): boolean {
  return over.has(asText(status) ?? '')
}
