import type { Selectable } from 'kysely'
import { asNumber, asObject, asText } from '../../dialects/json.ts'
import { LineGuard } from '../../relay/guards/line-guard.ts'
import { enterLimits, hasLimits } from '../../relay/limits/enter-limits.ts'
import type { Order } from '../../relay/order/order.ts'
import { takeOrder } from '../../relay/order/take-order.ts'
import { asProblem } from '../../relay/problems.ts'
import { tryChannels } from '../../relay/upstream/try-channels.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Files } from '../../store/batch-schema.ts'
import { Upstream } from '../ask-upstream.ts'
import { Sending } from '../batches/sending.ts'
import type { OwnedCall } from '../define.ts'
import { hashKey } from '../submit.ts'
import { account, takesFiles } from './account.ts'
import { newFileId, showFile } from './file-rows.ts'
import { FormSender } from './form-sender.ts'
import { keepFile, refuseTooMany } from './keep-file.ts'

/** As much as the vendor takes. */
const LARGEST_FILE = 200 * 1024 * 1024
const UPLOAD_MS = 1_800_000

/**
 * A file goes on while it comes in. Its first request tells which model it is for, and so which channel gets it;
 * whatever is wrong in a later one breaks the upload off, and the upstream has nothing.
 */
export async function uploadFile(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted } = call
  const sending = new Sending(incoming.request, LARGEST_FILE)
  await refuseTooMany(parts, admitted.caller.userId)
  try {
    return await passFile(call, sending)
  } catch (error) {
    // Who is still sending does not listen.
    await sending.drain()
    throw error
  }
}

async function passFile({ parts, incoming, admitted }: OwnedCall, sending: Sending): Promise<Response> {
  const guard = new LineGuard({ parts, incoming, admitted })
  const form = new FormSender(sending, parts.settings, guard)
  await form.findFile()
  const model = await findModel(form, guard)
  const order = takeOrder(parts, incoming, admitted, { model, stream: false }, { json: {} })
  guard.join(order)
  if (hasLimits(parts, admitted)) await enterLimits(order)
  try {
    const row = await send(order, form)
    await keepFile(parts, row)
    await order.leave(0)
    return Response.json(showFile(row))
  } catch (error) {
    const { status, message } = asProblem(error, incoming)
    await order.cancel(status, message)
    throw error
  }
}

async function findModel(form: FormSender, guard: LineGuard): Promise<string> {
  try {
    const model = await form.findModel()
    guard.admit()
    return model
  } catch (error) {
    guard.note(error)
    throw error
  }
}

/** One channel is asked: what has gone by cannot be sent again. */
async function send(order: Order, form: FormSender): Promise<Selectable<Files>> {
  const { parts, incoming, admitted } = order
  return tryChannels(
    order,
    { can: takesFiles, isSurelyRefused: () => false, errand: 'files' },
    async ({ channel, key, model }) => {
      const upstream = new Upstream(parts, account, { channel, key }, incoming.request)
      const broken = new AbortController()
      const bytes = form.stream(model, () => incoming.keepOpen(), broken)
      const answer = asObject(
        await upstream.json({
          method: 'POST',
          path: '/v1/files',
          body: { bytes, type: form.contentType },
          timeoutMs: UPLOAD_MS,
          signal: broken.signal,
        }),
      )
      const upstreamId = asText(answer?.id)
      if (!answer || !upstreamId) throw new UpstreamFailure({ without: 'empty' })
      return {
        id: newFileId(),
        user_id: admitted.caller.userId,
        token_id: admitted.caller.tokenId,
        channel_id: channel.id,
        key_hash: hashKey(parts, key),
        upstream_id: upstreamId.slice(0, 191),
        purpose: 'batch',
        filename: form.fileName,
        bytes: form.bytes,
        created_at: parts.now(),
        expires_at: asNumber(answer.expires_at) ?? 0,
        ...form.extent,
      }
    },
  )
}
