import { endByStatus, isOver, isRunning } from '../../dialects/gemini-interactions/statuses.ts'
import { storedIds } from '../../dialects/gemini-interactions/stored-ids.ts'
import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import type { JobForm } from './job-form.ts'

/** Longer marks of events there are none. */
const LONGEST_MARK = 1000

/** Google's. */
export const interactionForm: JobForm = {
  dialect: 'gemini-interactions',
  isOver,
  idOf: told => (told && (isRunning(told) || isOver(told)) ? storedIds(told)?.response : undefined),
  // It is not told. Whoever asks for it and would not get it is refused by Google.
  goesOn: () => true,
  toldIn: event => asObject(event.interaction),
  statusIn: endByStatus,
  endings: /"interaction\.(?:completed|status_update)"/,
  endsBriefly: true,
  endMark: 'event: done\ndata: [DONE]\n\n',
  heardIn: (event, at) => ({ at, words: wordsIn(asObject(event.delta)) }),
  secondsOf({ created, updated }) {
    const [began, done] = [Date.parse(asText(created) ?? ''), Date.parse(asText(updated) ?? '')]
    return Number.isFinite(done - began) ? (done - began) / 1000 : undefined
  },
  askable: new Set(['include_input']),
  readLast(query) {
    const last = query.get('last_event_id')
    if (last !== null && last.length > LONGEST_MARK)
      refuseField('last_event_id', 'field.most-characters', { most: LONGEST_MARK })
    return last || undefined
  },
  // Marks of events tell no order: only from the first on it is known what has been read of it.
  askAfter: () => [],
  behind(last) {
    let isMet = false
    return event => {
      if (isMet || event?.event_type === 'interaction.completed' || (event && endByStatus(event))) return true
      isMet = asText(event?.event_id) === last
      return false
    }
  },
}

/** What the model has made, of what it says, thinks or calls a tool with. */
function wordsIn(delta: JsonObject | undefined): string {
  if (!delta) return ''
  const given = delta.arguments
  return (
    asText(delta.text) ??
    asText(asObject(delta.content)?.text) ??
    asText(given) ??
    (given === undefined ? '' : JSON.stringify(given))
  )
}
