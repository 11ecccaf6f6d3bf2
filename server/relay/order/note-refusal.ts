import { logTypes } from '../../../contract/log-types.ts'
import type { LogRow } from '../../ledger/moves.ts'
import type { Admitted } from '../callers/authorise.ts'
import { labelsOf } from '../labels/labels-of.ts'
import type { RelayParts } from '../parts.ts'
import { asProblem } from '../problems.ts'
import type { Incoming } from '../request/incoming.ts'

/** A call that was refused before it became an order still leaves its row. Nobody waits for it. `found`: by guards. */
export function noteRefusal(
  parts: RelayParts,
  incoming: Incoming,
  { caller, group }: Admitted,
  asked: { readonly model: string; readonly stream: boolean },
  error: unknown,
  found?: Readonly<Record<string, number>>,
): void {
  const { ledger, now } = parts
  const { prompt } = incoming
  if (incoming.trace) incoming.trace.refused = { model: asked.model, stream: asked.stream }
  incoming.transcript?.fail()
  const { status, message } = asProblem(error, incoming)
  const row: LogRow = {
    created_at: now(),
    type: logTypes.error,
    user_id: caller.userId,
    username: caller.username,
    token_id: caller.tokenId,
    token_name: caller.tokenName,
    model_name: asked.model,
    channel_id: 0,
    group,
    is_stream: asked.stream ? 1 : 0,
    use_time: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    request_id: incoming.requestId,
    labels: readableLabels(parts, incoming, caller),
    prompt,
    content: message,
    other: JSON.stringify({
      status_code: status,
      ...(prompt && { prompt_name: prompt.name, prompt_version: prompt.version }),
      ...(found && { admin_info: { guards: found } }),
    }),
  }
  const of = { id: incoming.requestId, userId: caller.userId, tokenId: caller.tokenId }
  ledger.note(of, row).catch(() => {})
}

/** It may have been refused for its labels: then those of its token are left. */
function readableLabels(
  parts: RelayParts,
  incoming: Incoming,
  caller: Admitted['caller'],
): string | undefined {
  try {
    return labelsOf(parts, incoming, caller)?.counted
  } catch {
    return caller.labels
  }
}
