import { AppError } from '../../errors.ts'
import { enterLimits, hasLimits } from '../../relay/limits/enter-limits.ts'
import type { Order } from '../../relay/order/order.ts'
import { takeOrder } from '../../relay/order/take-order.ts'
import { asProblem } from '../../relay/problems.ts'
import { hashAccount, type Place } from '../../relay/routing/place.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { geminiUploadPlace } from '../../store/sealed-places.ts'
import { Upstream } from '../ask-upstream.ts'
import { askPlaces, choosePlaces, type Places } from '../choose-places.ts'
import type { OwnedCall } from '../define.ts'
import { account, addressOf, isGemini } from './account.ts'
import { isRequestsFile } from './batches/requests-in-file.ts'
import { keepFile, newFileId, refuseTooMany } from './keep-file.ts'
import { ownAddress } from './own-address.ts'
import { newReading } from './read-passing.ts'
import { readStart, type WantedFile } from './read-upload.ts'

/** What was begun and not ended in this time is forgotten, as the vendor forgets it. */
const UPLOAD_SECONDS = 2 * 86_400

/** An upload that the vendor has begun. */
interface Begun {
  readonly channelId: number
  readonly key: string
  /** Where it goes on there. */
  readonly path: string
  readonly granularity: string | null
}

/**
 * The account is chosen, and has an upload begun for it. The address that the client gets for its bytes is one of ours:
 * whoever has it needs no key, as at the vendor.
 */
export async function startUpload(call: OwnedCall): Promise<Response> {
  const { parts, incoming, admitted } = call
  const wanted = await readStart(incoming)
  const { userId } = admitted.caller
  await refuseTooMany(parts, userId, wanted)
  const places = await choosePlaces(parts, admitted, {
    can: isGemini,
    latest: () => latestPlace(parts, userId),
    none: () => new AppError('gemini.no-place', { group: admitted.group }),
  })
  const to = { ...admitted, group: places.group, groups: undefined }
  const order = takeOrder(parts, incoming, to, { model: places.model, stream: false }, { json: {} })
  if (hasLimits(parts, admitted)) await enterLimits(order)
  try {
    const { channelId, key, path, granularity } = await begin(order, places, wanted)
    const id = newFileId()
    const uploadId = crypto.getRandomValues(Buffer.alloc(32)).toString('hex')
    await keepFile(parts, {
      id,
      user_id: userId,
      token_id: admitted.caller.tokenId,
      name: wanted.name ?? id,
      channel_id: channelId,
      key_hash: hashAccount(parts, key),
      upload_hash: hashUpload(parts, uploadId),
      upload_sealed: parts.store.cipher.seal(geminiUploadPlace(id), path),
      upstream_name: '',
      bytes: wanted.bytes,
      created_at: parts.now(),
      expires_at: parts.now() + UPLOAD_SECONDS,
      data: '',
      requests: isRequestsFile(wanted.type) ? newReading(parts, id) : null,
    })
    await order.leave(0)
    const headers: Record<string, string> = {
      'x-goog-upload-status': 'active',
      'x-goog-upload-url': `${ownAddress(call)}/upload/v1beta/files?upload_id=${uploadId}&upload_protocol=resumable`,
    }
    if (granularity !== null) headers['x-goog-upload-chunk-granularity'] = granularity
    return new Response(null, { headers })
  } catch (error) {
    const { status, message } = asProblem(error, incoming)
    await order.cancel(status, message)
    throw error
  }
}

/** Of what goes on with an upload. */
export function hashUpload({ store }: OwnedCall['parts'], uploadId: string): string {
  return store.cipher.hash('gemini-upload', uploadId)
}

/** Where the caller's other files are, or else at any account. */
function begin(order: Order, places: Places, { title, bytes, type }: WantedFile): Promise<Begun> {
  const { parts, incoming } = order
  return askPlaces(order, places, { can: isGemini, errand: 'files' }, async ({ channel, key }) => {
    const upstream = new Upstream(parts, account, { channel, key }, incoming.request)
    const response = await upstream.send({
      method: 'POST',
      path: addressOf(channel, '/upload/v1beta/files'),
      // What it is called here nobody there knows: names are for the whole account there.
      body: { file: { ...(title !== undefined && { displayName: title }), mimeType: type } },
      headers: {
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-length': String(bytes),
        'x-goog-upload-header-content-type': type,
      },
    })
    await response.body?.cancel()
    const told = URL.parse(response.headers.get('x-goog-upload-url') ?? '')
    if (!told) throw new UpstreamFailure({ without: 'empty' })
    const granularity = /^\d{1,10}$/.exec(response.headers.get('x-goog-upload-chunk-granularity') ?? '')
    // Wherever it says that it is: the key goes to the channel's own address alone.
    const path = told.pathname + told.search
    return { channelId: channel.id, key, path, granularity: granularity?.[0] ?? null }
  })
}

async function latestPlace({ store, now }: OwnedCall['parts'], userId: number): Promise<Place | undefined> {
  return store.db
    .selectFrom('gemini_files')
    .select(['channel_id', 'key_hash'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
