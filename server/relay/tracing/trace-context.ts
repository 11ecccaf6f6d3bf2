/** The span of a caller that a call belongs to, as W3C Trace Context tells it. */
export interface TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  readonly state: string | undefined
}

/** The trace that a call is a part of. */
export interface TracePlace {
  readonly traceId: string
  readonly parent: TraceContext | undefined
}

const traceparent = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
const nothing = /^0+$/
const stateMember = /^[a-z\d][a-z\d_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/
const LONGEST_STATE = 512
const MOST_MEMBERS = 32

/** Undefined when there is none, or what there is is not in the form: then the call begins a trace of its own. */
export function readTraceContext(headers: Headers): TraceContext | undefined {
  const given = headers.get('traceparent')
  return given === null ? undefined : readContext(given, headers.get('tracestate'))
}

/** The same of what was sent elsewhere than in headers. */
export function readContext(given: string, notes: string | null): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = traceparent.exec(given.trim()) ?? []
  // Later versions may say more; this one may not, and there is none of the last number.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return { traceId, spanId, isSampled, state: readState(notes) }
}

/** Other systems' notes. A part of it that is wrong makes all of it worthless, but not the rest of the context. */
function readState(given: string | null): string | undefined {
  if (!given || given.length > LONGEST_STATE) return undefined
  const members = given
    .split(',')
    .map(member => member.trim())
    .filter(Boolean)
  const isValid = members.length <= MOST_MEMBERS && members.every(member => stateMember.test(member))
  return isValid && members.length > 0 ? members.join(',') : undefined
}
