import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { isObject, type Json, type JsonObject, mayRound, parseExactly } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { decodeBody } from '../../outbound/decode-body.ts'
import { ClientGone } from '../stream/client-gone.ts'
import type { Sent } from './incoming.ts'
import { JoinedBytes } from './joined-bytes.ts'
import { refuseOddNames } from './odd-names.ts'

export const LARGEST_JSON = 64 * 1024 * 1024

/** Writing out what is nested too deep takes seconds, and nothing that means something is. */
const DEEPEST = 256
const SHALLOW_LENGTH = 2 * DEEPEST

/** Of more than this it is counted how much is here while it comes, and it is not read in one go. */
const LARGE = 1024 * 1024

export interface JsonBody {
  /** As it was sent: what passes on unchanged is this. */
  readonly text: string
  readonly json: JsonObject
}

/** A JSON object, never more of it in memory than the limit. */
export async function readJsonBody(sent: Sent, limit = LARGEST_JSON): Promise<JsonBody> {
  return readJson(await readText(sent, limit))
}

export function readJson(text: string): JsonBody {
  if (isCrowded(text)) throw new AppError('relay.crowded-json', crowd)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new AppError('relay.invalid-json', {}, error)
  }
  if (!isObject(json)) throw new AppError('relay.invalid-json')
  if (text.length > SHALLOW_LENGTH && isDeep(json)) throw new AppError('relay.invalid-json')
  refuseOddNames(json)
  return { text, json }
}

/** The same with whole numbers that JavaScript would round kept as they were spelled, for who writes it anew. */
export function readExactly(body: JsonBody): JsonBody {
  return mayRound(body.text) ? { text: body.text, json: parseExactly(body.text) ?? body.json } : body
}

/** Level by level, so that depth costs no stack. */
export function isDeep(json: JsonObject): boolean {
  let level: (JsonObject | readonly Json[])[] = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    const next: typeof level = []
    // No lists of their values are made: there may be many of them.
    for (const one of level)
      if (Array.isArray(one)) for (const inner of one) keepNested(inner, next)
      else for (const name in one) keepNested((one as JsonObject)[name], next)
    level = next
  }
  return false
}

function keepNested(value: Json | undefined, nested: (JsonObject | readonly Json[])[]): void {
  if (typeof value === 'object' && value !== null) nested.push(value)
}

function readText(sent: Sent, limit: number): Promise<string> {
  const { request } = sent
  const announced = request.headers.get('content-length')
  if (announced === null || Number(announced) > LARGE || codingOf(request)) return readPieces(sent, limit)
  return request.text().catch(error => {
    throw whyUnread(error, request)
  })
}

async function readPieces(sent: Sent, limit: number): Promise<string> {
  return new TextDecoder().decode(await readLimited(sent, limit))
}

/** Bytes of any kind under a limit, which holds for what is unpacked too. */
export async function readLimited(sent: Sent, limit: number): Promise<Uint8Array> {
  const { request } = sent
  if (Number(request.headers.get('content-length') ?? 0) > limit)
    throw new AppError('request.too-large', { limit })
  const coding = codingOf(request)
  try {
    return await (coding ? unpack(sent, coding, limit) : gather(sent, request.body, limit))
  } catch (error) {
    throw whyUnread(error, request)
  }
}

/** Who leaves in the middle of what they send has not failed, nor have we, and what was packed may be whole. */
export function whyUnread(error: unknown, { signal }: Request): unknown {
  return signal.aborted ? new ClientGone() : error
}

async function gather(
  sent: Sent,
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array> {
  const bytes = new JoinedBytes()
  for await (const chunk of body ?? []) {
    const before = bytes.length
    bytes.add(chunk)
    if (bytes.length > limit) throw new AppError('request.too-large', { limit })
    if (bytes.length > LARGE) sent.hold(before > LARGE ? chunk.byteLength : bytes.length)
  }
  return bytes.whole()
}

/** How the client has packed it; undefined when it has not. */
function codingOf(request: Request): string | undefined {
  const coding = request.headers.get('content-encoding')
  return coding === null || /^\s*(identity)?\s*$/i.test(coding) ? undefined : coding.slice(0, 40)
}

async function unpack(sent: Sent, coding: string, limit: number): Promise<Uint8Array> {
  const { body } = sent.request
  const unpacked = body && decodeBody(body, coding)
  if (!unpacked) throw new AppError('request.coding', { coding })
  try {
    return await gather(sent, unpacked, limit)
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('request.coding', { coding }, error)
  }
}
