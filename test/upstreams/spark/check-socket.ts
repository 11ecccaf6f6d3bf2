import { createHmac } from 'node:crypto'
import { asArray, asNumber, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { EMPTY_TURN, type Turn } from '../reply.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { SeenRequest } from '../upstream.ts'
import { refuseSpark } from './fail.ts'

const SKEW_MS = 300_000
const PROOF =
  /^api_key="(?<key>[^"]+)", algorithm="hmac-sha256", headers="host date request-line", signature="(?<given>[^"]+)"$/

export function checkHandshake(seen: SeenRequest, apiKey: string, apiSecret: string): void {
  const { authorization = '', date = '', host, ...more } = seen.query
  if (Object.keys(more).length > 0) refuseSpark('unknown query', 'bad-key')
  const { key, given } = PROOF.exec(Buffer.from(authorization, 'base64').toString())?.groups ?? {}
  if (key !== apiKey) refuseSpark('HMAC signature cannot be verified: fail to retrieve credential', 'bad-key')
  if (host !== seen.headers.host) refuseSpark('the host is another', 'bad-key')
  if (!(Math.abs(Date.parse(date) - seen.at) < SKEW_MS))
    refuseSpark('HMAC signature cannot be verified, a valid date or x-date header is required', 'bad-key')
  const lines = `host: ${host}\ndate: ${date}\nGET ${seen.path} HTTP/1.1`
  if (createHmac('sha256', apiSecret).update(lines).digest('base64') !== given)
    refuseSpark('HMAC signature does not match', 'bad-key')
}

const DOMAINS: Readonly<Record<string, string>> = {
  '/v1.1/chat': 'lite',
  '/v3.1/chat': 'generalv3',
  '/chat/pro-128k': 'pro-128k',
  '/v3.5/chat': 'generalv3.5',
  '/chat/max-32k': 'max-32k',
  '/v4.0/chat': '4.0Ultra',
  '/v1/x1': 'spark-x',
}
const WITH_SYSTEM = ['generalv3.5', 'max-32k', '4.0Ultra']
const MESSAGE: Shape = {
  header: fields('app_id uid'),
  parameter: { chat: fields('domain temperature top_k max_tokens') },
  payload: { message: { text: [fields('role content')] } },
}

/** What is wrong with the message; undefined when nothing is. */
export function findFault(path: string, message: JsonObject, appId: string): string | undefined {
  const unknown = findUnknown(message, MESSAGE)
  if (unknown !== undefined) return `unknown field ${unknown.join('.')}`
  if (asObject(message.header)?.app_id !== appId) return 'app_id and api_key do not match'
  const chat = asObject(asObject(message.parameter)?.chat) ?? {}
  if (chat.domain !== DOMAINS[path]) return `domain ${chat.domain} is not at ${path}`
  if (chat.temperature !== undefined && !(Number(chat.temperature) > 0 && Number(chat.temperature) <= 1))
    return 'temperature must be in (0, 1]'
  if (chat.max_tokens !== undefined && !(Number(chat.max_tokens) >= 1 && Number(chat.max_tokens) <= 65_535))
    return 'max_tokens is out of range'
  const texts = textsOf(message)
  const turns = texts[0]?.role === 'system' ? texts.slice(1) : texts
  if (turns.length < texts.length && !WITH_SYSTEM.includes(String(chat.domain))) return 'no role system'
  const wanted = (at: number): string => (at % 2 === 0 ? 'user' : 'assistant')
  return turns.every(({ role, content }, at) => role === wanted(at) && content)
    ? undefined
    : 'wrong order of roles'
}

function textsOf(message: JsonObject): JsonObject[] {
  const holder = asObject(asObject(message.payload)?.message)
  return asArray(holder?.text).map(one => asObject(one) ?? {})
}

export function readSparkTurn(message: JsonObject): Turn {
  const chat = asObject(asObject(message.parameter)?.chat)
  const texts = textsOf(message).map(({ content }) => asText(content) ?? '')
  return {
    ...EMPTY_TURN,
    model: asText(chat?.domain) ?? '',
    stream: true,
    text: texts.join(''),
    lastText: texts.at(-1) ?? '',
    maxTokens: asNumber(chat?.max_tokens),
    think: chat?.domain === 'spark-x',
  }
}
