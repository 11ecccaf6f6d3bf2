import { allowModel } from '../callers/authorise.ts'
import { noteRefusal } from '../order/note-refusal.ts'
import { isForm, type PlainCall } from '../plain/plain-call.ts'
import { parseMultipart } from '../request/parse-multipart.ts'
import type { JsonBody } from '../request/read-body.ts'
import { writeMultipart } from '../request/write-multipart.ts'
import type { Asking } from './ask-webhook.ts'
import { CallGuard } from './call-guard.ts'

/** A request that may go on, with what the rules have masked, and the rules for its answer. */
export interface Guarded<Body> {
  readonly guard: CallGuard
  readonly body: Body
}

/** Undefined where no rule is for such calls. Nobody is asked about a model that the caller may not have. */
export function guardChat(
  asking: Asking,
  stream: boolean,
  body: JsonBody,
): Promise<Guarded<JsonBody>> | undefined {
  const guard = CallGuard.for(asking)
  return guard && guarded(asking, guard, stream, () => guard.readRequest(body))
}

/** The same of a call that is not chat. One that leaves no trace leaves none of its refusal. */
export function guardPlain(asking: Asking, call: PlainCall): Promise<Guarded<PlainCall>> | undefined {
  const guard = CallGuard.for(asking)
  if (!guard) return undefined
  const leavesTrace = call.capability !== 'count-tokens'
  const answersText = call.capability === 'completions'
  return guarded(asking, guard, answersText && call.stream, () => readPlain(guard, call), leavesTrace)
}

async function guarded<Body>(
  { parts, incoming, admitted, model }: Asking,
  guard: CallGuard,
  stream: boolean,
  read: () => Promise<Body>,
  leavesTrace = true,
): Promise<Guarded<Body>> {
  try {
    allowModel(admitted.caller, model)
    if (stream) guard.refuseStreams()
    return { guard, body: await read() }
  } catch (error) {
    if (leavesTrace) noteRefusal(parts, incoming, admitted, { model, stream }, error, guard.tally.seen)
    throw error
  }
}

async function readPlain(guard: CallGuard, call: PlainCall): Promise<PlainCall> {
  const { body, form } = call
  if (!isForm(body)) {
    const read = await guard.readRequest(body, form === 'gemini')
    return read === body ? call : { ...call, body: read, fields: read.json }
  }
  const fields = await guard.readFields(call.fields)
  if (!fields) return call
  const boundary = crypto.randomUUID()
  const bytes = writeMultipart(body, { prompt: fields.prompt }, boundary)
  return { ...call, fields, body: parseMultipart(bytes, `multipart/form-data; boundary=${boundary}`) }
}
