import { logTypes } from '../../../contract/log-types.ts'
import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { AnswerPart, TokenUsage } from '../../dialects/spec.ts'
import type { StoredIds } from '../../dialects/watching.ts'
import type { AppError } from '../../errors.ts'
import { requestOf } from '../../ledger/lasting-hold.ts'
import type { LogRow } from '../../ledger/moves.ts'
import { plainText } from '../../ledger/plain-text.ts'
import { breakdown } from '../../ledger/price/breakdown.ts'
import { cost, listedCost } from '../../ledger/price/cost.ts'
import { counter } from '../../metrics.ts'
import { type Keeper, noteAnswer } from '../chat/conversation.ts'
import { payWindows } from '../openai-kept/pay-windows.ts'
import { believe } from '../order/charge-usage.ts'
import { chargedFor } from '../order/charged-for.ts'
import type { RelayParts } from '../parts.ts'
import { type Charged, countCharged } from '../relay-figures.ts'
import { CONTAINER, type HostedTool } from '../request/hosted-tools.ts'
import { keepsBeside } from '../stored-answers/ask-keeper.ts'
import { hostsOf, scrub } from '../upstream/scrub.ts'
import { closeJob, formOfJob, type Job, type JobTerms, jobStates, makerOf, termsOf } from './job-rows.ts'

const LONGEST_REASON = 300
const NOTHING: TokenUsage = { input: 0, output: 0 }

const ended = counter(
  'tollgate_background_responses_ended_total',
  'Responses made in the background that ended, by their status.',
)

/**
 * A response has come to its end: what was used is paid, and the rest of what was held comes back. Whoever sees the end
 * first does so, on whichever node, and whether or not its client ever asks: a hold closes once. Who dies in between
 * leaves it for the next, who finds the same answer.
 */
export async function endJob(parts: RelayParts, job: Job, response: JsonObject): Promise<void> {
  if (job.state === jobStates.ended) return
  const terms = termsOf(job)
  const status = asText(response.status) ?? ''
  const usage = status === 'failed' ? undefined : await usedBy(parts, job, terms, response)
  const maker = makerOf(parts, job)
  const ids = dialects[formOfJob(job).dialect].storedIds?.(response)
  const hosted = usage && (await payContainers(parts, job, terms, { usage, ids, maker }))
  const charged = usage && (await settle(parts, job, { ...terms, hosted }, usage, response))
  if (!charged) await release(parts, job, terms, reasonOf(parts, job, response))
  const { user_id: userId, token_id: tokenId } = job
  if (maker && ids) await noteAnswer(parts, { userId, tokenId, ...maker }, ids)
  // Of several who saw its end, one tells the figures.
  if ((await close(parts, job, status)) && charged)
    countCharged({ model: job.model, stream: job.streams === 1, ms: 0, firstTokenMs: undefined, ...charged })
}

/** Nobody will tell what it used: what clients have read of it is paid, and if that is nothing, nothing is. */
export async function endWithout(parts: RelayParts, job: Job, why: AppError): Promise<void> {
  const terms = termsOf(job)
  const seen = await seenOf(parts, job, terms, '')
  if (seen) await settle(parts, job, terms, seen, { status: 'lost' })
  else await release(parts, job, terms, why.text('zh'))
  await close(parts, job, 'lost')
}

async function close(parts: RelayParts, job: Job, status: string): Promise<boolean> {
  const isOurs = await closeJob(parts, job)
  if (isOurs) ended.increment({ status })
  return isOurs
}

/** What the upstream says, and for what it does not say our own count: of one that was cancelled, of what was seen of it. */
async function usedBy(
  parts: RelayParts,
  job: Job,
  terms: JobTerms,
  response: JsonObject,
): Promise<TokenUsage | undefined> {
  const { readUsage, readAnswer } = dialects[formOfJob(job).dialect]
  const told = believe(readUsage(response), job.request_id)
  const { input, output, ...rest } = told ?? NOTHING
  if (input > 0 && output > 0) return told
  // What is not whole is read as what was cut off.
  const { parts: said = [] } = readAnswer({ ...response, status: 'incomplete' }) ?? {}
  const words = said.map(wordsOf).join('')
  if (response.status === 'cancelled') return input > 0 ? told : seenOf(parts, job, terms, words)
  const counted = output || (await parts.counter.countText(words))
  return { ...rest, input: input || terms.estimatedTokens, output: counted }
}

/** What clients have read of it while it was made, or can read now; undefined when that is nothing. */
async function seenOf(
  { store, counter }: RelayParts,
  { request_id }: Job,
  { estimatedTokens }: JobTerms,
  words: string,
): Promise<TokenUsage | undefined> {
  const row = await store.db
    .selectFrom('background_responses')
    .select('seen_tokens')
    .where('request_id', '=', request_id)
    .executeTakeFirst()
  const output = Math.max(row?.seen_tokens ?? 0, words === '' ? 0 : await counter.countText(words))
  return output > 0 ? { input: estimatedTokens, output } : undefined
}

function wordsOf(part: AnswerPart): string {
  if (part.type === 'tool-call') return part.name + part.input
  return 'text' in part ? part.text : ''
}

interface Ended {
  readonly usage: TokenUsage
  readonly ids: StoredIds | undefined
  readonly maker: Keeper | undefined
}

/** The tools that it was offered, with what is due for the containers that it was made in. */
async function payContainers(
  parts: RelayParts,
  { request_id: requestId, user_id: userId, token_id: tokenId }: Job,
  terms: JobTerms,
  { usage, ids, maker }: Ended,
): Promise<readonly HostedTool[] | undefined> {
  if (!usage.tools?.[CONTAINER]) return terms.hosted
  const book = parts.prices()
  return payWindows(parts, {
    ...{ requestId, userId, tokenId },
    place: maker && keepsBeside(maker.channel) ? maker : undefined,
    hosted: terms.hosted ?? [],
    ran: ids?.containers ?? [],
    costWith: hosted => cost(terms.price, chargedFor({ ...terms, hosted, book }, usage)),
  })
}

async function settle(
  parts: RelayParts,
  job: Job,
  terms: JobTerms,
  told: TokenUsage,
  response: JsonObject,
): Promise<Pick<Charged, 'input' | 'output' | 'quota'>> {
  const { price } = terms
  const usage = chargedFor({ ...terms, book: parts.prices() }, told)
  const { quota, promptTokens, completionTokens, details } = breakdown(price, usage)
  const costRatio = parts.channels.byId(job.channel_id)?.setting.cost_ratio
  if (told.reasoning) parts.unseen.learn(job.model, told.output)
  const row = rowOf(parts, job, terms, logTypes.consumption, {
    ...details,
    ...(told.reasoning ? { reasoning_tokens: told.reasoning } : {}),
    ...(response.status === 'completed' ? {} : { response_status: asText(response.status) }),
  })
  const written = {
    ...row,
    use_time: secondsOf(parts, job, response),
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cost: costRatio === undefined ? undefined : listedCost(price, usage, costRatio),
  }
  const isWritten = parts.settings.get('LogConsumeEnabled')
  const charge = await parts.ledger.settle(
    requestOf(job),
    quota,
    isWritten ? written : { ...row, unwritten: true },
    { price: JSON.stringify(price) },
  )
  return { input: promptTokens, output: completionTokens, quota: charge }
}

async function release(parts: RelayParts, job: Job, terms: JobTerms, why: string): Promise<void> {
  const row = rowOf(parts, job, terms, logTypes.error, {})
  await parts.ledger.release(requestOf(job), { ...row, content: why })
}

/** Nobody waited for its first word, nor measured how fast its channel is. */
function rowOf({ now }: RelayParts, job: Job, { row }: JobTerms, type: number, details: object): LogRow {
  const { ms: _, frt: __, ...known } = row
  const { frt: ___, ...other } = JSON.parse(row.other) as Record<string, unknown>
  return {
    ...known,
    created_at: now(),
    type,
    use_time: 0,
    other: JSON.stringify({ ...details, ...other, background: true, response_id: job.response_id }),
  }
}

/** How long it took, by its vendor's clock where that tells. */
function secondsOf({ now }: RelayParts, job: Job, response: JsonObject): number {
  const told = formOfJob(job).secondsOf(response) ?? now() - job.submitted_at
  return Math.min(Math.max(0, Math.round(told)), 86_400 * 365)
}

/** Why it costs nothing, in the vendor's words. */
function reasonOf(parts: RelayParts, job: Job, { status, error, errors }: JsonObject): string {
  const said = asText(asObject(error ?? asArray(errors)[0])?.message) || asText(status) || ''
  const channel = parts.channels.byId(job.channel_id)
  const clean = channel ? scrub(said, channel, hostsOf(channel.baseUrl ?? '')) : ''
  return plainText(clean, LONGEST_REASON)
}
