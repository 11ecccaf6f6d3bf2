import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { hasFiles } from '../../relay/anthropic/file-rows.ts'
import { placeNamedIn } from '../../relay/anthropic/lead-to-files.ts'
import { LineGuard } from '../../relay/guards/line-guard.ts'
import { enterLimits, hasLimits } from '../../relay/limits/enter-limits.ts'
import type { Order } from '../../relay/order/order.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { asProblem } from '../../relay/problems.ts'
import { findBatch, newBatchId } from '../batches/batch-rows.ts'
import { dropBatch } from '../batches/end-batch.ts'
import { acceptBatch } from '../batches/note-batch.ts'
import { Sending } from '../batches/sending.ts'
import { elseUnheard } from '../batches/unheard.ts'
import type { OwnedCall } from '../define.ts'
import { pathOf, spokenBy } from './account.ts'
import { anthropicHost } from './host.ts'
import { admitModel, orderBatch } from './order-batch.ts'
import { RequestSender } from './request-sender.ts'
import { showBatch } from './show-batch.ts'
import { Submission } from './submission.ts'

/** As much as the vendor takes. */
const LARGEST_BODY = 256 * 1024 * 1024
/** The first look after this long: what is wrong with all of it shows at once. */
const FIRST_LOOK_SECONDS = 5

/**
 * A batch goes on while it comes in, but for its end. In this order, so that whichever line a process dies at, what is
 * held belongs to a batch that somebody looks after: the requests; the hold; the row, to which the hold belongs from
 * then on; the end, before which the upstream can begin nothing; the row with the upstream's name for it.
 */
export async function createBatch(call: OwnedCall): Promise<Response> {
  const { parts, incoming } = call
  const sending = new Sending(incoming.request, LARGEST_BODY)
  try {
    const id = await passBatch(call, sending)
    const batch = await elseUnheard(findBatch(anthropicHost, call, id))
    return Response.json(showBatch(parts, batch, incoming.request))
  } catch (error) {
    // Who is still sending does not listen.
    await sending.drain()
    throw error
  }
}

async function passBatch(call: OwnedCall, sending: Sending): Promise<string> {
  const { parts, incoming, admitted } = call
  const guard = new LineGuard({ parts, incoming, admitted })
  const { caller } = admitted
  const requests = new RequestSender(sending, parts.settings, guard, params =>
    placeNamedIn(parts, caller, params),
  )
  const models = await findModels(requests, guard, await hasFiles(parts, caller))
  const order = orderBatch(call, models, requests.place)
  requests.admitModel = model => admitModel(order, model)
  guard.join(order)
  if (hasLimits(parts, order.admitted)) await enterLimits(order)
  const id = newBatchId('msgbatch_')
  const submission = new Submission(order, requests, id)
  try {
    await submit(parts, submission)
    await order.leave(0)
    return id
  } catch (error) {
    throw await giveUp(order, submission, error)
  }
}

async function findModels(
  requests: RequestSender,
  guard: LineGuard,
  mayNameFiles: boolean,
): Promise<readonly [string, ...string[]]> {
  try {
    const models = await requests.findModels(mayNameFiles)
    guard.admit()
    return models
  } catch (error) {
    guard.note(error)
    throw error
  }
}

async function submit(parts: RelayParts, submission: Submission): Promise<void> {
  const { report, upstream } = await submission.send()
  if (await acceptBatch(parts, submission.id, report, FIRST_LOOK_SECONDS)) return
  // It was given up while this process slept: nobody would pay for it.
  const path = pathOf({ upstream_id: report.upstreamId }, '/cancel')
  await upstream.send({ method: 'POST', path, headers: spokenBy() })
  throw new AppError('task.interrupted')
}

/** What its owner hears. Where nobody knows whether the upstream has it, the row stays: whoever looks after it finds out. */
async function giveUp(order: Order, { id, stage }: Submission, error: unknown): Promise<unknown> {
  if (stage === 'sent') {
    log.warn('it is not known whether an upstream has a batch; it will be asked', { batch: id, error })
    await order.leave(0)
    return new AppError('batch.unheard', {}, error)
  }
  const { status, message } = asProblem(error, order.incoming)
  await order.cancel(status, message)
  if (stage === 'open') await dropBatch(order.parts, id, message)
  return error
}
