import { asText, isObject, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { inBatch } from '../../ledger/price/price-snapshot.ts'
import { log } from '../../log.ts'
import { enterLimits, hasLimits } from '../../relay/limits/enter-limits.ts'
import { findOwnFile } from '../../relay/openai-kept/file-rows.ts'
import { noteRefusal } from '../../relay/order/note-refusal.ts'
import type { Order } from '../../relay/order/order.ts'
import { takeOrder } from '../../relay/order/take-order.ts'
import { asProblem } from '../../relay/problems.ts'
import { tryChannels } from '../../relay/upstream/try-channels.ts'
import { isSurelyRefused, UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { Upstream } from '../ask-upstream.ts'
import { findBatch, newBatchId } from '../batches/batch-rows.ts'
import { dropBatch } from '../batches/end-batch.ts'
import type { BatchReport } from '../batches/host.ts'
import { mostCost } from '../batches/most-cost.ts'
import { acceptBatch } from '../batches/note-batch.ts'
import { openBatch } from '../batches/open-batch.ts'
import { elseUnheard } from '../batches/unheard.ts'
import type { OwnedCall } from '../define.ts'
import { readTaskBody } from '../read-task-body.ts'
import { keyOf } from '../submit.ts'
import { account, PLATFORM, takesFiles } from './account.ts'
import { type FileRow, findFile } from './file-rows.ts'
import { OUR_NAME } from './find-by-name.ts'
import { openaiHost } from './host.ts'
import { readBatch } from './read-batch.ts'
import { showBatch } from './show-batch.ts'

const SUBMIT_MS = 60_000
/** The first look after this long: what is wrong with the file shows at once. */
const FIRST_LOOK_SECONDS = 5
/** One less than the upstream takes: the last place is for our name, by which a batch is found whose answer was lost. */
const MOST_METADATA = 15

interface Wanted {
  readonly fileId: string
  readonly endpoint: string
  readonly window: string
  readonly metadata: JsonObject | undefined
  /** When the vendor may throw its output away. */
  readonly expiry: JsonObject | undefined
}

/**
 * From the most that it can cost set aside to the batch accepted; it is paid when it ends. In this order, so that
 * whichever line a process dies at, what is held belongs to a batch that somebody looks after: the hold; the row,
 * to which the hold belongs from then on; the upstream; the row with the upstream's name for it.
 */
export async function createBatch(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const wanted = readWanted(await readTaskBody(incoming))
  if (await findOwnFile(parts, call.admitted.caller, wanted.fileId)) throw new AppError('file.purpose')
  const file = await findFile(call, wanted.fileId)
  if (file.endpoint === '') throw new AppError('file.purpose')
  if (file.endpoint !== wanted.endpoint) throw new AppError('batch.endpoint', { url: file.endpoint })
  const order = orderBatch(call, file)
  if (hasLimits(parts, order.admitted)) await enterLimits(order)
  const id = newBatchId('batch_')
  incoming.keepOpen()
  try {
    const most = mostCost(parts, order.bill.price, file)
    await order.bill.hold(most, most)
    const { window: completion_window, metadata } = wanted
    const { id: file_id, channel_id, key_hash } = file
    await openBatch(order, {
      ...{ id, channel_id, key_hash, file_id, completion_window },
      ...{ platform: PLATFORM, extent: file, title: file.filename, quota: most },
      metadata: metadata ? JSON.stringify(metadata) : '',
    })
  } catch (error) {
    await cancel(order, error)
    throw error
  }
  await submit(order, file, wanted, id)
  await order.leave(0)
  return Response.json(showBatch(await elseUnheard(findBatch(openaiHost, call, id))))
}

function readWanted(json: JsonObject): Wanted {
  const need = (field: string, most: number): string => {
    const text = asText(json[field])
    if (!text || text.length > most) refuseField(field, 'field.required')
    return text
  }
  const { metadata, output_expires_after: expiry } = json
  return {
    fileId: need('input_file_id', 64),
    endpoint: need('endpoint', 40),
    window: need('completion_window', 20),
    metadata: readMetadata(metadata ?? undefined),
    expiry: isObject(expiry) ? expiry : undefined,
  }
}

function readMetadata(value: unknown): JsonObject | undefined {
  if (value === undefined) return undefined
  const isRight =
    isObject(value) &&
    Object.keys(value).length <= MOST_METADATA &&
    Object.entries(value).every(
      ([name, text]) => name.length <= 64 && typeof text === 'string' && text.length <= 512,
    )
  if (!isRight) refuseField('metadata', 'field.metadata', { most: MOST_METADATA })
  return value
}

/** At the channel that has the file, in the first of the caller's groups that it serves. */
function orderBatch({ parts, incoming, admitted }: OwnedCall, { channel_id, model }: FileRow): Order {
  const ordered = { model, stream: false }
  const refuse = (error: AppError): never => {
    noteRefusal(parts, incoming, admitted, ordered, error)
    throw error
  }
  if (!parts.settings.get('TaskEnabled')) refuse(new AppError('task.tasks-off'))
  const channel = parts.channels.byId(channel_id)
  const group = (admitted.groups ?? [admitted.group]).find(one =>
    parts.channels.candidates(one, model).some(tier => channel && tier.includes(channel)),
  )
  if (!channel || group === undefined || !takesFiles(channel))
    return refuse(new AppError('relay.no-channel', { group: admitted.group, model }))
  const to = { ...admitted, group, groups: undefined, pinned: channel.id }
  const order = takeOrder(parts, incoming, to, ordered, { json: {} })
  // Searches that nobody counts cannot be paid.
  if (order.price.search?.counts === 'always') refuse(new AppError('feature.batches', { model }))
  order.bill.price = inBatch(order.price, parts.settings.get('BatchRatio'))
  return order
}

/** Where nobody knows whether the upstream has it, the row stays: whoever looks after it finds out. */
async function submit(order: Order, file: FileRow, wanted: Wanted, id: string): Promise<void> {
  const { parts } = order
  let mayRun = false
  try {
    const { report, upstream } = await tryChannels(
      order,
      { can: takesFiles, errand: 'batches', keyOf: channel => keyOf(parts, channel, file.key_hash) },
      async ({ channel, key }) => {
        const upstream = new Upstream(parts, account, { channel, key }, order.incoming.request)
        mayRun = true
        try {
          return { report: await ask(upstream, file, wanted, id), upstream }
        } catch (error) {
          mayRun = !(error instanceof UpstreamFailure && isSurelyRefused(error))
          throw error
        }
      },
    )
    if (await elseUnheard(acceptBatch(parts, id, report, FIRST_LOOK_SECONDS))) return
    // It was given up while this process slept: nobody would pay for it.
    await upstream.send({
      method: 'POST',
      path: `/v1/batches/${encodeURIComponent(report.upstreamId)}/cancel`,
    })
    throw new AppError('task.interrupted')
  } catch (error) {
    if (mayRun) {
      log.warn('it is not known whether an upstream has a batch; it will be asked', { batch: id, error })
      await order.leave(0)
      throw error
    }
    await cancel(order, error)
    await dropBatch(parts, id, asProblem(error, order.incoming).message)
    throw error
  }
}

async function ask(upstream: Upstream, file: FileRow, wanted: Wanted, id: string): Promise<BatchReport> {
  const { metadata = {}, expiry, endpoint, window } = wanted
  const body = {
    input_file_id: file.upstream_id,
    endpoint,
    completion_window: window,
    metadata: { ...metadata, [OUR_NAME]: id },
    ...(expiry && { output_expires_after: expiry }),
  }
  const answer = await upstream.json({ method: 'POST', path: '/v1/batches', body, timeoutMs: SUBMIT_MS })
  const report = readBatch(upstream, answer, { file_id: file.id })
  if (!report) throw new UpstreamFailure({ without: 'empty' })
  return report
}

async function cancel(order: Order, error: unknown): Promise<void> {
  const { status, message } = asProblem(error, order.incoming)
  await order.cancel(status, message)
}
