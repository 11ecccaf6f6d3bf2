import { userStatuses } from '../../../contract/users.ts'
import { asObject, asText, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { tokenStates } from '../../ledger/moves.ts'
import { readText } from '../../outbound/read-body.ts'
import { checkToken } from '../../relay/callers/authorise.ts'
import type { Caller } from '../../relay/callers/caller.ts'
import type { GeminiFile } from '../../relay/gemini/file-rows.ts'
import type { RelayParts } from '../../relay/parts.ts'
import { UpstreamFailure } from '../../relay/upstream/upstream-failure.ts'
import { geminiUploadPlace } from '../../store/sealed-places.ts'
import type { Upstream } from '../ask-upstream.ts'
import type { TaskCall } from '../define.ts'
import { addressOf, asOwner, upstreamAt } from './account.ts'
import { passPiece, refuseWrongPiece } from './pass-piece.ts'
import { PassingPiece } from './read-passing.ts'
import { readStep, type UploadStep } from './read-upload.ts'
import { noteFile, showFile } from './show-file.ts'
import { hashUpload } from './start-upload.ts'

const UPLOAD_MS = 1_800_000
const LARGEST_ANSWER = 1024 * 1024
const FINAL = { 'x-goog-upload-status': 'final' }

/** Of what is refused, so much is read: a piece of the vendor's own client and more. */
const MOST_UNREAD = 32 * 1024 * 1024

/** The next bytes of a file, by whoever has the address for them. */
export async function goOnUpload(call: TaskCall, uploadId: string): Promise<Response> {
  try {
    return await goOn(call, uploadId)
  } catch (error) {
    // Who is still sending does not listen.
    await drain(call.incoming.request)
    throw error
  }
}

async function drain({ body }: Request): Promise<void> {
  let unread = 0
  try {
    for await (const chunk of body && !body.locked ? body : []) {
      unread += chunk.length
      if (unread > MOST_UNREAD) return
    }
  } catch {
    // The client is gone.
  }
}

async function goOn(call: TaskCall, uploadId: string): Promise<Response> {
  const { parts, incoming } = call
  const file = await findUpload(parts, uploadId)
  const step = readStep(incoming.request)
  // Who did not hear that it is there is told again.
  if (file.upstream_name !== '') return Response.json({ file: showFile(call, file) }, { headers: FINAL })
  refuseWrongPiece(step, file.bytes)
  const unknown = new AppError('gemini.no-upload')
  const upstream = upstreamAt(parts, file, incoming.request)
  if (!upstream) throw unknown
  const piece = PassingPiece.of(parts, file, step)
  const response = await asOwner(sendPiece(call, upstream, file, step, piece), unknown)
  const status = response.headers.get('x-goog-upload-status') ?? ''
  const received = response.headers.get('x-goog-upload-size-received')
  const text = await readText(response, LARGEST_ANSWER)
  if (status === 'active' || status === 'final') await piece?.keep(status === 'final', received)
  if (status === 'final') return endUpload(call, file, text)
  if (status === 'cancelled')
    await parts.store.db.deleteFrom('gemini_files').where('id', '=', file.id).execute()
  if (status !== 'active' && status !== 'cancelled') throw new UpstreamFailure({ without: 'empty' })
  const headers: Record<string, string> = { 'x-goog-upload-status': status }
  if (received !== null && /^\d{1,15}$/.test(received)) headers['x-goog-upload-size-received'] = received
  return new Response(null, { headers })
}

async function findUpload(parts: RelayParts, uploadId: string): Promise<GeminiFile> {
  const file = await parts.store.db
    .selectFrom('gemini_files')
    .selectAll()
    .where('upload_hash', '=', hashUpload(parts, uploadId))
    .where('expires_at', '>', parts.now())
    .executeTakeFirst()
  if (!file) throw new AppError('gemini.no-upload')
  await refuseTurnedOut(parts, file)
  return file
}

/** No key comes with its bytes, but what began with a token goes on no longer than a call with it would be served. */
async function refuseTurnedOut(parts: RelayParts, { user_id, token_id }: GeminiFile): Promise<void> {
  const caller = token_id === 0 ? await parts.callers.ofUser(user_id) : await callerWith(parts, token_id)
  if (!caller) throw new AppError('gemini.no-upload')
  // It costs nothing.
  if (caller.tokenStatus !== tokenStates.exhausted) checkToken(caller, parts.now())
  if (caller.userStatus !== userStatuses.active) throw new AppError('relay.user-banned')
}

async function callerWith({ store, callers }: RelayParts, tokenId: number): Promise<Caller | undefined> {
  const token = await store.db
    .selectFrom('tokens')
    .select('key_hash')
    .where('id', '=', tokenId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return token && callers.ofToken(token.key_hash)
}

/** Goes out while it comes in. */
function sendPiece(
  { parts, incoming }: TaskCall,
  upstream: Upstream,
  file: GeminiFile,
  step: UploadStep,
  piece: PassingPiece | undefined,
): Promise<Response> {
  const { command, offset, length } = step
  const { body } = incoming.request
  const hasBytes = command.startsWith('upload')
  const broken = new AbortController()
  const onReceived = (): void => incoming.keepOpen()
  const onBytes = piece && ((bytes: Uint8Array): void => piece.push(bytes))
  if (!hasBytes || !body) onReceived()
  const bytes =
    hasBytes && body
      ? passPiece(body, step, { bytes: file.bytes, onReceived, onBytes, broken })
      : new Uint8Array(new ArrayBuffer(0))
  return upstream.send({
    method: 'POST',
    path: uploadAddress(upstream, parts.store.cipher.open(geminiUploadPlace(file.id), file.upload_sealed)),
    body: { bytes, type: 'application/octet-stream', length: hasBytes && body ? length : undefined },
    headers: {
      'x-goog-upload-command': command,
      ...(hasBytes && { 'x-goog-upload-offset': String(offset) }),
    },
    timeoutMs: UPLOAD_MS,
    signal: broken.signal,
  })
}

/** On the channel's own base, which what the vendor told may not know of. */
function uploadAddress({ channel }: Upstream, path: string): string {
  const base = new URL(addressOf(channel, '/'))
  return base.origin + (path.startsWith(base.pathname) ? path : base.pathname.replace(/\/$/, '') + path)
}

async function endUpload(call: TaskCall, file: GeminiFile, text: string): Promise<Response> {
  const told = asObject(parseObject(text)?.file)
  if (!told || !/^files\/[\w.-]{1,100}$/.test(asText(told.name) ?? ''))
    throw new UpstreamFailure({ without: 'empty' })
  const kept = await noteFile(call.parts, file, told)
  return Response.json({ file: showFile(call, kept) }, { headers: FINAL })
}
