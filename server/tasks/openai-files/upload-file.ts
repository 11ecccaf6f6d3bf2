import { refuseChoice, refuseField } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { newMark } from '../../relay/openai-kept/container-rows.ts'
import { keepsFiles, type OpenaiFile } from '../../relay/openai-kept/file-rows.ts'
import type { Order } from '../../relay/order/order.ts'
import { takeOrder } from '../../relay/order/take-order.ts'
import { hashAccount } from '../../relay/routing/place.ts'
import { isSurelyRefused } from '../../relay/upstream/upstream-failure.ts'
import { Upstream } from '../ask-upstream.ts'
import { askPlaces, choosePlaces, type Places } from '../choose-places.ts'
import type { OwnedCall } from '../define.ts'
import { type FieldsBeside, FileForm } from '../kept/file-form.ts'
import { type FormEvent, openForm } from '../kept/read-form.ts'
import { doFreely, takeUpload } from '../kept/take-upload.ts'
import { account } from '../openai-batches/account.ts'
import { passFile as passBatchFile } from '../openai-batches/upload-file.ts'
import { latestPlace } from '../openai-kept/keeping.ts'
import { PATH } from './account.ts'
import { keepFile, refuseTooMany } from './keep-file.ts'
import { BATCH, readPurpose } from './read-purpose.ts'
import { readFile, showFile } from './show-file.ts'

/** As much as the vendor takes, and the form around it. */
const LARGEST_BODY = 512 * 1024 * 1024 + 64 * 1024
const UPLOAD_MS = 1_800_000
/** Those of files that calls may name. */
const purposes = ['user_data', 'vision', 'assistants']
const ANCHOR = 'expires_after[anchor]'
const SECONDS = 'expires_after[seconds]'
const LEAST_SECONDS = 3600
const MOST_SECONDS = 2_592_000

const beside: FieldsBeside = {
  checks: {
    purpose(text) {
      // Its beginning did not look like that, and what goes to a batch is read line by line from there.
      if (text === BATCH) refuseField('purpose', 'field.before-file')
      if (!purposes.includes(text)) refusePurpose()
    },
    [ANCHOR](text) {
      if (text !== 'created_at') refuseChoice(ANCHOR, ['created_at'])
    },
    [SECONDS](text) {
      const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0
      if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS)
        refuseField(SECONDS, 'field.whole-within', { least: LEAST_SECONDS, most: MOST_SECONDS })
    },
  },
  checkAll(fields) {
    if (!fields.has('purpose')) refuseField('purpose', 'field.required')
    if (fields.has(ANCHOR) !== fields.has(SECONDS))
      refuseField(fields.has(ANCHOR) ? SECONDS : ANCHOR, 'field.required')
  },
}

/** A file goes on while it comes in: to be named in calls where the caller's others are, or for a batch. */
export function uploadFile(call: OwnedCall): Promise<Response> {
  return takeUpload(call.incoming.request, LARGEST_BODY, async sending => {
    const { purpose, isForBatch, events } = await readPurpose(openForm(sending))
    if (isForBatch) return passBatchFile(call, sending, events)
    if (purpose !== undefined && !purposes.includes(purpose)) refusePurpose()
    return passFile(call, events)
  })
}

function refusePurpose(): never {
  return refuseChoice('purpose', [BATCH, ...purposes])
}

async function passFile(
  { parts, incoming, admitted }: OwnedCall,
  events: AsyncIterator<FormEvent>,
): Promise<Response> {
  const { userId } = admitted.caller
  await refuseTooMany(parts, userId, Number(incoming.request.headers.get('content-length') ?? 0))
  const form = new FileForm(events, beside)
  await form.findFile()
  await form.readAhead()
  const places = await choosePlaces(parts, admitted, {
    can: keepsFiles,
    latest: () => latestPlace(parts, userId, keepsFiles),
    none: () => new AppError('file.no-place', { group: admitted.group }),
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
function send(order: Order, places: Places, form: FileForm): Promise<OpenaiFile> {
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
        body: { bytes, type: form.contentType },
        timeoutMs: UPLOAD_MS,
        signal: broken.signal,
      }),
    )
    const { userId, tokenId } = admitted.caller
    return {
      ...{ mark: newMark(), user_id: userId, token_id: tokenId },
      ...{ channel_id: channel.id, key_hash: hashAccount(parts, key), purpose: form.field('purpose') },
      ...{ created_at: parts.now(), ...told, bytes: form.bytes },
    }
  })
}
