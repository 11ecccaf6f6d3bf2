import { AppError } from '../../../errors.ts'
import { inBatch } from '../../../ledger/price/price-snapshot.ts'
import { log } from '../../../log.ts'
import { LineGuard } from '../../../relay/guards/line-guard.ts'
import { enterLimits, hasLimits } from '../../../relay/limits/enter-limits.ts'
import { noteRefusal } from '../../../relay/order/note-refusal.ts'
import type { Order } from '../../../relay/order/order.ts'
import { takeOrder } from '../../../relay/order/take-order.ts'
import { asProblem } from '../../../relay/problems.ts'
import { readJsonBody } from '../../../relay/request/read-body.ts'
import type { Channel } from '../../../relay/routing/channel.ts'
import { type FoundPlace, hashAccount } from '../../../relay/routing/place.ts'
import { tryChannels } from '../../../relay/upstream/try-channels.ts'
import { isSurelyRefused, UpstreamFailure } from '../../../relay/upstream/upstream-failure.ts'
import { Upstream } from '../../ask-upstream.ts'
import { findBatch } from '../../batches/batch-rows.ts'
import { dropBatch } from '../../batches/end-batch.ts'
import type { BatchReport } from '../../batches/host.ts'
import { mostCost } from '../../batches/most-cost.ts'
import { acceptBatch } from '../../batches/note-batch.ts'
import { moveBatch, nowhereYet, openBatch } from '../../batches/open-batch.ts'
import { elseUnheard } from '../../batches/unheard.ts'
import type { OwnedCall } from '../../define.ts'
import { account, addressOf, isGemini, PLATFORM } from '../account.ts'
import { newFileId } from '../keep-file.ts'
import { geminiHost } from './host.ts'
import { readBatch } from './read-batch.ts'
import { readInput } from './read-input.ts'
import { readWanted } from './read-requests.ts'
import { showBatch } from './show-batch.ts'

/** As much as the vendor takes in one request. */
const LARGEST_BODY = 20 * 1024 * 1024
const SUBMIT_MS = 120_000
const FIRST_LOOK_SECONDS = 5

/**
 * From the most that it can cost set aside to the batch accepted; it is paid when it ends. In this order, so that
 * whichever line a process dies at, what is held belongs to a batch that somebody looks after: the hold; the row, to
 * which the hold belongs from then on; the vendor; the row with the vendor's name for it.
 */
export async function createBatch(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted, params } = call
  const model = decode(params.model ?? '')
  const { json } = await readJsonBody(incoming, LARGEST_BODY)
  const guard = new LineGuard({ parts, incoming, admitted })
  const wanted = readWanted(json)
  const { title, extent, place, fileId, input } = await readInput(call, wanted, model, guard)
  const order = orderBatch(call, model, place)
  guard.join(order)
  if (hasLimits(parts, order.admitted)) await enterLimits(order)
  incoming.keepOpen()
  const id = newFileId()
  try {
    const quota = mostCost(parts, order.bill.price, extent)
    await order.bill.hold(quota, quota)
    await openBatch(order, {
      ...{ id, ...nowhereYet, file_id: fileId, completion_window: '24h', metadata: wanted.title },
      ...{ platform: PLATFORM, extent, title, quota },
    })
  } catch (error) {
    await cancel(order, error)
    throw error
  }
  await submit(order, id, input, place)
  await order.leave(0)
  return Response.json(showBatch(await elseUnheard(findBatch(geminiHost, call, id))))
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** In the first of the caller's groups that can serve it. */
function orderBatch(
  { parts, incoming, admitted }: OwnedCall,
  model: string,
  place: FoundPlace | undefined,
): Order {
  const ordered = { model, stream: false }
  const refuse = (error: AppError): never => {
    noteRefusal(parts, incoming, admitted, ordered, error)
    throw error
  }
  if (!parts.settings.get('TaskEnabled')) refuse(new AppError('task.tasks-off'))
  const group = (admitted.groups ?? [admitted.group]).find(one =>
    parts.channels
      .candidates(one, model)
      .some(tier => tier.some(channel => (place ? channel === place.channel : takesBatches(channel)))),
  )
  if (group === undefined) return refuse(new AppError('relay.no-channel', { group: admitted.group, model }))
  const pinned = place?.channel.id ?? admitted.pinned
  const to = { ...admitted, group, groups: undefined, pinned }
  const order = takeOrder(parts, incoming, to, ordered, { json: {} })
  // Searches that nobody counts cannot be paid.
  if (order.price.search?.counts === 'always') refuse(new AppError('feature.batches', { model }))
  order.bill.price = inBatch(order.price, parts.settings.get('BatchRatio'))
  return order
}

/** What such a channel wants otherwise in requests, nobody does to those of a batch. */
function takesBatches(channel: Channel): boolean {
  const { param_override, operations, system_prompt } = channel.setting
  return isGemini(channel) && !param_override && !operations && !system_prompt
}

/** Where nobody knows whether the vendor has it, the row stays: whoever looks after it finds out. */
async function submit(order: Order, id: string, input: object, place: FoundPlace | undefined): Promise<void> {
  const { parts, incoming } = order
  let mayRun = false
  try {
    const { report, upstream } = await tryChannels(
      order,
      { can: takesBatches, errand: 'batches', isSurelyRefused, ...(place && { keyOf: () => place.key }) },
      async ({ channel, key, model }) => {
        await moveBatch(parts, id, { channel_id: channel.id, key_hash: hashAccount(parts, key) })
        const upstream = new Upstream(parts, account, { channel, key }, incoming.request)
        mayRun = true
        try {
          return { report: await ask(upstream, id, model, input), upstream }
        } catch (error) {
          mayRun = !(error instanceof UpstreamFailure && isSurelyRefused(error))
          throw error
        }
      },
    )
    if (await acceptBatch(parts, id, report, FIRST_LOOK_SECONDS)) return
    // It was given up while this process slept: nobody would pay for it.
    await upstream.send({
      method: 'POST',
      path: addressOf(upstream.channel, `/v1beta/${report.upstreamId}:cancel`),
    })
    throw new AppError('task.interrupted')
  } catch (error) {
    if (mayRun) {
      log.warn('it is not known whether an upstream has a batch; it will be asked', { batch: id, error })
      await order.leave(0)
      throw new AppError('batch.unheard', {}, error)
    }
    await cancel(order, error)
    await dropBatch(parts, id, asProblem(error, incoming).message)
    throw error
  }
}

async function ask(upstream: Upstream, id: string, model: string, input: object): Promise<BatchReport> {
  const answer = await upstream.json({
    method: 'POST',
    path: addressOf(upstream.channel, `/v1beta/models/${encodeURIComponent(model)}:batchGenerateContent`),
    // Our name for it, by which it is found whose answer was lost.
    body: { batch: { displayName: id, inputConfig: input } },
    timeoutMs: SUBMIT_MS,
  })
  const report = readBatch(upstream, answer)
  if (!report) throw new UpstreamFailure({ without: 'empty' })
  return report
}

async function cancel(order: Order, error: unknown): Promise<void> {
  const { status, message } = asProblem(error, order.incoming)
  await order.cancel(status, message)
}
