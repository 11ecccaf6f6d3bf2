import type { JsonObject } from '../dialects/json.ts'
import { AppError } from '../errors.ts'
import { CallGuard } from '../relay/guards/call-guard.ts'
import { refusesUnasked } from '../relay/guards/guards.ts'
import { noteRefusal } from '../relay/order/note-refusal.ts'
import { RpcFailure } from './json-rpc.ts'
import { textsOfCall, textsOfError, textsOfNotification } from './tool-texts.ts'
import type { Visit } from './visit.ts'

/** What goes to a server: in it things are masked. */
interface Spoken {
  readonly params: JsonObject
  readonly headers?: Record<string, string>
}

/** The rules for what is asked of a server under this name, once it has gone through those that look for themselves. */
export function guardCall(
  { parts: { relay: parts }, incoming, admitted }: Visit,
  model: string,
  { params, headers }: Spoken,
): CallGuard | undefined {
  if (parts.guards.areIdle) return undefined
  const guard = CallGuard.forTool({ parts, incoming, admitted, model })
  if (!guard?.rules.input) return guard
  try {
    guard.readRequest(textsOfCall(params, headers))
    return guard
  } catch (error) {
    noteRefusal(parts, incoming, admitted, { model, stream: false }, error, guard.tally.seen)
    throw error
  }
}

/**
 * Whether what a server says on its way may go to the client, with what is found in it masked. Nobody can be asked
 * about it, and it is no answer that could be refused: it is left out.
 */
export function mayBeHeard(guard: CallGuard, notification: JsonObject): boolean {
  const { output } = guard.rules
  if (!output) return true
  if (output.asked.some(refusesUnasked)) return false
  try {
    guard.readAnswerAlone(textsOfNotification(notification))
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** A failure as the client may be told of it: what a server says of one is an answer too. */
export async function guardFailure(guard: CallGuard | undefined, error: unknown): Promise<unknown> {
  if (!guard?.rules.output || !(error instanceof RpcFailure)) return error
  const { code, message, data } = error
  const told: JsonObject = { message, data }
  try {
    if (!(await guard.readAnswer(textsOfError(told)))) return error
    return new RpcFailure(code, String(told.message), told.data)
  } catch (refusal) {
    return refusal
  }
}
