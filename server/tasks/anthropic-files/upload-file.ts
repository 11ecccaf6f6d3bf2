import { refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { type AnthropicFile, keepsFiles, newMark } from '../../relay/anthropic/file-rows.ts'
import type { Order } from '../../relay/order/order.ts'
import { takeOrder } from '../../relay/order/take-order.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { hashAccount, type Place } from '../../relay/routing/place.ts'
import { isSurelyRefused } from '../../relay/upstream/upstream-failure.ts'
import { account } from '../anthropic-batches/account.ts'
import { Upstream } from '../ask-upstream.ts'
import type { Sending } from '../batches/sending.ts'
import { askPlaces, choosePlaces, type Places } from '../choose-places.ts'
import type { OwnedCall } from '../define.ts'
import { type FieldsBeside, FileForm } from '../kept/file-form.ts'
import { openForm } from '../kept/read-form.ts'
import { doFreely, takeUpload } from '../kept/take-upload.ts'
import { fileHeaders, PATH } from './account.ts'
import { keepFile, refuseTooMany } from './keep-file.ts'
import { readFile, showFile } from './show-file.ts'

/** As much as the vendor takes, and the form around it. */
const LARGEST_BODY = 500 * 1024 * 1024 + 64 * 1024
const UPLOAD_MS = 1_800_000
/** When the vendor is to throw it away. */
const beside: FieldsBeside = {
  checks: {
    expires_in_seconds(text) {
      if (!/^\d{1,20}$/.test(text)) refuseField('expires_in_seconds', 'field.whole-from', { least: 0 })
    },
  },
}

/** A file goes on while it comes in, to where the caller's others are. */
export function uploadFile(call: OwnedCall): Promise<Response> {
  return takeUpload(call.incoming.request, LARGEST_BODY, sending => passFile(call, sending))
}

async function passFile({ parts, incoming, admitted }: OwnedCall, sending: Sending): Promise<Response> {
  const { userId } = admitted.caller
  await refuseTooMany(parts, userId, Number(incoming.request.headers.get('content-length') ?? 0))
  const form = new FileForm(openForm(sending), beside)
  await form.findFile()
  const places = await choosePlaces(parts, admitted, {
    can: keepsFiles,
    latest: () => latestPlace(parts, userId),
    none: () => new AppError('anthropic.no-place', { group: admitted.group }),
  })
  const to = { ...admitted, group: places.group, groups: undefined }
  const order = takeOrder(parts, incoming, to, { model: places.model, stream: false }, { json: {} })
  return doFreely(order, async () => {
    const row = await send(order, places, form)
    await keepFile(parts, row)
    return Response.json(showFile(row))
  })
}

/** What has gone by and is not kept cannot be sent again: then one account is asked. */
function send(order: Order, places: Places, form: FileForm): Promise<AnthropicFile> {
  const { parts, incoming, admitted } = order
  const errand = {
    can: keepsFiles,
    errand: 'files',
    isSurelyRefused: (failure: Parameters<typeof isSurelyRefused>[0]) =>
      form.isKept && isSurelyRefused(failure),
  }
  return askPlaces(order, places, errand, async ({ channel, key }) => {
    const upstream = new Upstream(parts, account, { channel, key }, incoming.request)
    const broken = new AbortController()
    const bytes = form.stream(() => incoming.keepOpen(), broken)
    const told = readFile(
      await upstream.json({
        method: 'POST',
        path: PATH,
        headers: fileHeaders(incoming.request),
        body: { bytes, type: form.contentType },
        timeoutMs: UPLOAD_MS,
        signal: broken.signal,
      }),
    )
    const { userId, tokenId } = admitted.caller
    return {
      ...{ mark: newMark(), user_id: userId, token_id: tokenId },
      ...{ channel_id: channel.id, key_hash: hashAccount(parts, key) },
      ...{ is_uploaded: 1, created_at: parts.now(), ...told, bytes: form.bytes },
    }
  })
}

async function latestPlace({ store, now }: RelayParts, userId: number): Promise<Place | undefined> {
  return store.db
    .selectFrom('anthropic_files')
    .select(['channel_id', 'key_hash'])
    .where('user_id', '=', userId)
    .where(row => row.or([row('expires_at', '=', 0), row('expires_at', '>', now())]))
    .orderBy('mark', 'desc')
    .limit(1)
    .executeTakeFirst()
}
