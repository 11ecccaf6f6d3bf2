import type { Selectable } from 'kysely'
import { asNumber, asObject, asText } from '../../dialects/json.ts'
import { LineGuard } from '../../relay/guards/line-guard.ts'
import type { Order } from '../../relay/order/order.ts'
import { takeOrder } from '../../relay/order/take-order.ts'
import { tryChannels } from '../../relay/upstream/try-channels.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import type { Files } from '../../store/batch-schema.ts'
import { Upstream } from '../ask-upstream.ts'
import type { Sending } from '../batches/sending.ts'
import type { OwnedCall } from '../define.ts'
import type { FormEvent } from '../kept/read-form.ts'
import { doFreely } from '../kept/take-upload.ts'
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
export async function passFile(
  { parts, incoming, admitted }: OwnedCall,
  sending: Sending,
  events: AsyncIterator<FormEvent>,
): Promise<Response> {
  sending.allow(LARGEST_FILE)
  await refuseTooMany(parts, admitted.caller.userId)
  const guard = new LineGuard({ parts, incoming, admitted })
  const form = new FormSender(events, parts.settings, guard)
  await form.findFile()
  const model = await findModel(form, guard)
  const order = takeOrder(parts, incoming, admitted, { model, stream: false }, { json: {} })
  guard.join(order)
  return doFreely(order, async () => {
    const row = await send(order, form)
    await keepFile(parts, row)
    return Response.json(showFile(row))
  })
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
