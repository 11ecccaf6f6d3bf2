import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import { noteAnswer } from '../chat/conversation.ts'
import { endWith } from '../contents/transcript.ts'
import { guardWhole } from '../guards/guard-whole.ts'
import type { Order } from '../order/order.ts'
import { askKeeper, nobody } from '../stored-answers/ask-keeper.ts'
import { CarriedEvents } from './carry-events.ts'
import { endJob } from './end-job.ts'
import { formOf, type JobForm } from './job-form.ts'
import { hashKey, type Job, type JobTerms, jobStates, openJob } from './job-rows.ts'
import type { TakenJob } from './read-taken.ts'

/** The first look after this long: what is wrong with a request shows at once. */
const FIRST_LOOK_SECONDS = 5

/**
 * The upstream makes the response from here on. First it is written down, with the hold that pays for it, which from
 * then on no process has to live for; then the client is told of it. What nobody could write down is cancelled.
 */
export async function takeOn(order: Order, call: ChatCall, taken: TakenJob): Promise<Response> {
  const { parts, incoming } = order
  const form = formOf(call.dialect.name)
  const job = await writeDown(order, taken, form).catch(async error => {
    taken.events?.stop(error)
    await giveUp(order, taken, form)
    throw error
  })
  const { channel, key } = order
  if (channel)
    await noteAnswer(
      parts,
      { userId: job.user_id, tokenId: job.token_id, channel, key },
      { response: taken.id, items: [] },
    )
  await order.leave(order.estimatedTokens)
  if (taken.events) {
    order.noteEnd()
    const { guard } = order
    return new CarriedEvents({ parts, incoming, job, form, guard, events: taken.events }).response()
  }
  if (form.isOver(taken.response)) await endJob(parts, job, taken.response)
  const text = order.guard?.rules.output
    ? await guardWhole(order.guard, call.dialect.name, taken.text)
    : taken.text
  if (incoming.transcript) endWith(incoming.transcript, text)
  return new Response(text, { headers: { 'content-type': 'application/json' } })
}

async function writeDown(order: Order, taken: TakenJob, { dialect }: JobForm): Promise<Job> {
  const { parts, admitted, channel, key, model, group, estimatedTokens, stream } = order
  if (!channel || key === undefined) throw new AppError('server.internal', {}, new Error('no channel has it'))
  const { userId, tokenId } = admitted.caller
  const now = parts.now()
  const terms: JobTerms = { ...order.handedOver(), estimatedTokens, dialect }
  const job: Job = {
    request_id: order.incoming.requestId,
    response_id: taken.id,
    user_id: userId,
    token_id: tokenId,
    channel_id: channel.id,
    key_hash: hashKey(parts, key),
    model,
    group,
    streams: stream ? 1 : 0,
    state: jobStates.running,
    terms: JSON.stringify(terms),
    seen_to: -1,
    seen_tokens: 0,
    submitted_at: now,
    lost_at: 0,
    next_poll_at: now + FIRST_LOOK_SECONDS,
  }
  await openJob(parts, job)
  order.bill.handOver()
  return job
}

/** Nobody would pay for it. */
async function giveUp({ parts, channel, key }: Order, { id }: TakenJob, { dialect }: JobForm): Promise<void> {
  if (!channel || key === undefined) return
  try {
    const asking = { dialect, method: 'POST', path: `/${id}/cancel` } as const
    const response = await askKeeper(parts, nobody, { channel, key }, asking)
    await response.body?.cancel()
  } catch (error) {
    log.warn('a response that nobody pays for could not be cancelled', { channel: channel.id, error })
  }
}
