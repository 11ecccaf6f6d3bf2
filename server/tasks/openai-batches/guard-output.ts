import { asObject, type JsonObject, parseExactly } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { textsOfAnswer } from '../../relay/guards/answer-texts.ts'
import { CallGuard } from '../../relay/guards/call-guard.ts'
import { asProblem } from '../../relay/problems.ts'
import type { TextPlace } from '../../relay/request/spoken-texts.ts'
import { rewriteLines } from '../batches/rewrite-lines.ts'
import type { OwnedCall } from '../define.ts'
import type { FileRow } from './file-rows.ts'

/** How a file of a batch's answers is handed on, by the rules for them; undefined where there are none. */
export async function guardOutput(
  call: OwnedCall,
  file: FileRow,
): Promise<((body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>) | undefined> {
  const { parts, incoming, admitted } = call
  if (parts.guards.areIdle || file.purpose !== 'batch_output') return undefined
  const batch = await parts.store.db
    .selectFrom('batches')
    .select(['model', 'group', 'endpoint'])
    .where('user_id', '=', file.user_id)
    .where('id', '=', file.filename.replace(/_(output|error)\.jsonl$/, ''))
    .executeTakeFirst()
  if (!batch) return undefined
  const { model, group, endpoint } = batch
  // Whoever fetches it may be in another group than whoever ordered it: the rules of both are obeyed.
  const groups = [...(admitted.groups ?? []), group]
  const guard = CallGuard.for({ parts, incoming, admitted: { ...admitted, groups }, model })
  if (!guard?.streamRules) return undefined
  return body => rewriteLines(body, line => readAnswer(call, guard, endpoint, line))
}

/** What is blocked has the place in its line that the vendor has for what failed. */
function readAnswer({ incoming }: OwnedCall, guard: CallGuard, endpoint: string, text: string): string {
  const line = parseExactly(text)
  const body = asObject(asObject(line?.response)?.body)
  if (!line || !body) return text
  try {
    return guard.readAnswerAlone(textsOf(endpoint, body)) ? JSON.stringify(line) : text
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message } = asProblem(error, incoming)
    return JSON.stringify({ ...line, response: null, error: { code, message } })
  }
}

function textsOf(endpoint: string, body: JsonObject): TextPlace[] {
  return textsOfAnswer(endpoint === '/v1/responses' ? 'openai-responses' : 'openai-chat', body)
}
