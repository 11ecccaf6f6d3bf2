import { dialects } from '../../dialects/index.ts'
import {
  asNumber,
  asObject,
  asText,
  type JsonObject,
  parseExactly,
  parseObject,
} from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { textsOfAnswer } from '../../relay/guards/answer-texts.ts'
import { CallGuard } from '../../relay/guards/call-guard.ts'
import { asProblem } from '../../relay/problems.ts'
import { type BatchRow, batchStates } from '../batches/batch-rows.ts'
import { asOwner, placeOf } from '../batches/place-of.ts'
import { modelsOf } from '../batches/prices.ts'
import { rewriteLines } from '../batches/rewrite-lines.ts'
import type { OwnedCall } from '../define.ts'
import { account } from './account.ts'
import { MARK, readMark } from './model-marks.ts'
import { openResults } from './open-results.ts'
import { lookUp } from './serve-batches.ts'
import { hasResults } from './show-batch.ts'

/** As they come from the upstream, but for what the operator's rules mask or block in answers. */
export async function serveResults(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const batch = await lookUp(call)
  if (batch.state !== batchStates.ended) throw new AppError('batch.not-ended')
  const gone = new AppError('batch.no-results', { id: batch.id })
  const upstream = hasResults(batch) ? placeOf(parts, account, batch, incoming.request) : undefined
  if (!upstream) throw gone
  incoming.keepOpen()
  const response = await asOwner(openResults(upstream, batch, incoming.request), gone)
  if (!response) throw gone
  const headers = {
    'content-type': 'application/x-jsonl',
    'content-security-policy': "default-src 'none'; sandbox",
  }
  const guarded = guardLines(call, batch)
  const read = (line: string): string => asAsked(batch, line, guarded)
  const lines = response.body && rewriteLines(response.body, read, countResults(batch))
  return new Response(lines, { headers })
}

/** One of each request, whatever became of it; as many as the vendor said when it had ended. */
function countResults({ data }: BatchRow): number {
  const counts = Object.values(asObject(parseObject(data)?.request_counts) ?? {})
  return counts.reduce<number>((sum, count) => sum + (asNumber(count) ?? 0), 0)
}

type GuardLine = (line: JsonObject, model: number) => JsonObject

/** With the name that its request came with: the first went out under ours for the batch, others with their model's number. */
function asAsked(batch: BatchRow, text: string, guarded: GuardLine | undefined): string {
  if (!guarded && !text.includes(batch.id) && !text.includes(MARK)) return text
  const given = parseExactly(text)
  if (!given) return text
  const sent = asText(given.custom_id) ?? ''
  const { customId, model } = readMark(batch, sent)
  const line = customId === sent ? given : { ...given, custom_id: customId }
  const told = guarded?.(line, model) ?? line
  return told === given ? text : JSON.stringify(told)
}

/** By the rules for answers of each model. What is blocked has the place in its line that the vendor has for what failed. */
function guardLines(call: OwnedCall, batch: BatchRow): GuardLine | undefined {
  const { parts, incoming, admitted } = call
  if (parts.guards.areIdle) return undefined
  // Whoever fetches it may be in another group than whoever ordered it: the rules of both are obeyed.
  const groups = [...(admitted.groups ?? []), batch.group]
  const guards = modelsOf(batch).map(model =>
    CallGuard.for({ parts, incoming, admitted: { ...admitted, groups }, model }),
  )
  return (line, model) => {
    const guard = guards[model] ?? guards[0]
    const message = asObject(asObject(line.result)?.message)
    if (!guard?.streamRules || !message) return line
    try {
      return guard.readAnswerAlone(textsOfAnswer('anthropic', message)) ? { ...line } : line
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const told = dialects.anthropic.writeProblem(asProblem(error, incoming))
      return { ...line, result: { type: 'errored', error: told } }
    }
  }
}
