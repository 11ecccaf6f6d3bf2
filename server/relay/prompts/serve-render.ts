import type { Admitted } from '../callers/authorise.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import { readJsonBody } from '../request/read-body.ts'
import { putPromptIn } from './put-prompt-in.ts'

/** What would be asked for: no model is, so it costs nothing. */
export async function serveRender(
  parts: RelayParts,
  incoming: Incoming,
  { prompt }: { readonly prompt: string },
  admitted: Admitted,
): Promise<Response> {
  const sent = await readJsonBody(incoming)
  const route = { kind: 'chat', dialect: 'openai-chat', prompt } as const
  const { json } = await putPromptIn(parts, incoming, route, admitted, sent)
  return Response.json({ success: true, data: json })
}
