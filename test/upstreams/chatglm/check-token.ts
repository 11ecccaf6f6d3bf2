import { createHmac } from 'node:crypto'
import { parseObject } from '../../../server/dialects/json.ts'
import type { SeenRequest } from '../upstream.ts'
import { refuseChatglm } from './fail.ts'

const MOST_MS = 24 * 3_600_000
const SKEW_MS = 60_000

/** The third API takes a token made of the key and no word before it, the fourth the key itself. */
export function checkToken(seen: SeenRequest, key: string): void {
  const given = seen.headers.authorization ?? ''
  if (seen.path.startsWith('/api/paas/v4/')) {
    if (given !== `Bearer ${key}`) refuseChatglm('the key is wrong', 'bad-key')
    return
  }
  const [id, secret = ''] = key.split('.')
  const [head = '', body = '', signature] = given.split('.')
  const header = decode(head)
  const claims = decode(body)
  if (header.alg !== 'HS256' || header.sign_type !== 'SIGN') refuseChatglm('a strange header', 'bad-key')
  if (signature !== createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url'))
    refuseChatglm('a wrong signature', 'bad-key')
  const { api_key, exp, timestamp } = claims
  if (api_key !== id) refuseChatglm('nobody has this id', 'bad-key')
  const isTimely =
    typeof exp === 'number' &&
    typeof timestamp === 'number' &&
    Math.abs(timestamp - seen.at) < SKEW_MS &&
    exp > seen.at &&
    exp < seen.at + MOST_MS
  if (!isTimely) refuseChatglm('a token of another time', 'bad-key')
}

function decode(part: string): Record<string, unknown> {
  return parseObject(Buffer.from(part, 'base64url').toString()) ?? {}
}
