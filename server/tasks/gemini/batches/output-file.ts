import type { Transaction } from 'kysely'
import { asText, parseExactly, parseObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import type { GeminiFile } from '../../../relay/gemini/file-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import type { Schema } from '../../../store/schema.ts'
import type { Upstream } from '../../ask-upstream.ts'
import type { BatchRow } from '../../batches/batch-rows.ts'
import { rewriteLines } from '../../batches/rewrite-lines.ts'
import { KEPT_SECONDS } from '../../batches/sweep-batches.ts'
import type { OwnedCall } from '../../define.ts'
import { addressOf, asOwner, upstreamAt } from '../account.ts'
import { newFileId } from '../keep-file.ts'
import { guardAnswers } from './guard-answers.ts'

const IDLE_MS = 60_000
const TYPE = 'application/jsonl'

/** What a batch was answered in: one line for each request. */
export function openFile(upstream: Upstream, name: string): Promise<Response> {
  return upstream.send({
    path: addressOf(upstream.channel, `/v1beta/${name}:download?alt=media`),
    headers: { accept: '*/*', 'accept-encoding': 'identity' },
    idleMs: IDLE_MS,
  })
}

/** It belongs to whom the batch does, and goes with it. */
export async function addOutput(
  transaction: Transaction<Schema>,
  { store, now }: RelayParts,
  batch: BatchRow,
  upstreamName: string,
  bytes: number,
): Promise<string> {
  const id = newFileId()
  const { user_id, token_id, channel_id, key_hash, model, group, submitted_at } = batch
  const createTime = new Date(now() * 1000).toISOString()
  const told = { mimeType: TYPE, sizeBytes: String(bytes), createTime, state: 'ACTIVE', source: 'GENERATED' }
  await transaction
    .insertInto('gemini_files')
    .values({
      ...{ id, user_id, token_id, name: id, channel_id, key_hash, bytes },
      // Nobody goes on with it.
      ...{ upload_hash: store.cipher.hash('gemini-upload', id), upload_sealed: '', requests: null },
      ...{ upstream_name: upstreamName.slice(0, 191), created_at: now() },
      expires_at: submitted_at + KEPT_SECONDS,
      data: JSON.stringify({ ...told, model, group }),
    })
    .execute()
  return id
}

/** Whether a batch made it: its vendor hands out no others. */
export function isOutput({ data }: GeminiFile): boolean {
  return parseObject(data)?.source === 'GENERATED'
}

/** As it comes from the vendor, but for what the operator's rules mask or block in answers. */
export async function serveOutput(call: OwnedCall, file: GeminiFile): Promise<Response> {
  if (!isOutput(file)) throw new AppError('gemini.not-made', { name: file.name })
  const { parts, incoming } = call
  const unknown = new AppError('gemini.no-file', { name: file.name })
  const upstream = upstreamAt(parts, file, incoming.request)
  if (!upstream) throw unknown
  const { model, group } = parseObject(file.data) ?? {}
  const guarded = guardAnswers(call, { model: asText(model) ?? '', group: asText(group) ?? '' })
  incoming.keepOpen()
  const { body } = await asOwner(openFile(upstream, file.upstream_name), unknown)
  const headers = { 'content-type': TYPE, 'content-security-policy': "default-src 'none'; sandbox" }
  if (!guarded || !body) return new Response(body, { headers })
  const lines = rewriteLines(body, text => {
    const line = parseExactly(text)
    return line ? JSON.stringify(guarded(line)) : text
  })
  return new Response(lines, { headers })
}
