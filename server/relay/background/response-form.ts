import { asNumber, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import type { JobForm } from './job-form.ts'

const running: ReadonlySet<string> = new Set(['queued', 'in_progress'])
const over: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled'])
/** As it stands in the address under which it is asked after. */
const responseId = /^[\w-]{1,200}$/

function isOver({ status }: JsonObject): boolean {
  return over.has(asText(status) ?? '')
}

/** OpenAI's, and of whoever speaks its Responses. */
export const responseForm: JobForm = {
  dialect: 'openai-responses',
  isOver,
  idOf(response) {
    const id = asText(response?.id) ?? ''
    const isKnown = response && (running.has(asText(response.status) ?? '') || isOver(response))
    return responseId.test(id) && isKnown ? id : undefined
  },
  goesOn: response => response.background === true,
  toldIn: event => asObject(event.response),
  // Items have a status too.
  endings: /"status"\s*:\s*"(completed|incomplete|failed|cancelled)"/,
  endsBriefly: false,
  endMark: '',
  heardIn: ({ type, sequence_number, delta }) => ({
    at: asNumber(sequence_number),
    words: asText(type)?.endsWith('.delta') ? (asText(delta) ?? '') : '',
  }),
  secondsOf({ created_at, completed_at }) {
    const [began, done] = [asNumber(created_at), asNumber(completed_at)]
    return began !== undefined && done !== undefined ? done - began : undefined
  },
  askable: new Set(['include', 'include[]', 'include_obfuscation', 'after', 'limit', 'order']),
  readLast(query) {
    const last = query.get('starting_after')
    if (last !== null && !/^\d{1,15}$/.test(last))
      refuseField('starting_after', 'field.whole-from', { least: 0 })
    return last === null ? undefined : Number(last)
  },
  askAfter: last => [['starting_after', String(last)]],
  behind: last => event => (asNumber(event?.sequence_number) ?? Number.POSITIVE_INFINITY) > Number(last),
}
