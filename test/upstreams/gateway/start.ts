import { anthropicRoutes } from '../anthropic/start.ts'
import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { geminiRoutes } from '../gemini/start.ts'
import { answerOcr, checkOcr } from '../mistral/answer-ocr.ts'
import { failOpenai } from '../openai/fail.ts'
import { openaiRoutes } from '../openai/start.ts'
import { talkRealtime } from '../openai/talk-realtime.ts'
import { answerResults } from '../searching/found.ts'
import { startUpstream } from '../start-upstream.ts'
import { NO_TALLY } from '../tally.ts'
import {
  bearerOnly,
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type Route,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'

const TYPE = 'new_api_error'
const FAILURES: Record<FailureKind, readonly [status: number, type: string, code: string, message: string]> =
  {
    'bad-request': [400, TYPE, 'invalid_request', 'Invalid request.'],
    'too-long': [
      ...([400, 'invalid_request_error', 'context_length_exceeded'] as const),
      "This model's maximum context length is 128000 tokens.",
    ],
    'bad-key': [401, TYPE, 'invalid_token', '无效的令牌'],
    'account-off': [401, TYPE, 'token_disabled', '该令牌状态不可用'],
    'no-balance': [403, TYPE, 'insufficient_user_quota', '用户额度不足, 剩余额度: ＄0.000000'],
    forbidden: [403, TYPE, 'access_denied', '该令牌无权访问此模型'],
    'not-found': [404, TYPE, 'not_found', 'Invalid URL'],
    'no-model': [503, TYPE, 'model_not_found', '分组 default 下模型 none 无可用渠道'],
    'too-large': [413, TYPE, 'read_request_body_failed', 'request body too large'],
    'rate-limit': [429, TYPE, 'rate_limit_exceeded', '您已达到请求数限制：1分钟内最多请求60次'],
    quota: [403, TYPE, 'pre_consume_token_quota_failed', '令牌额度不足'],
    filtered: [400, TYPE, 'sensitive_words_detected', 'user sensitive words detected'],
    'server-error': [500, TYPE, 'do_request_failed', 'upstream error: do request failed'],
    overloaded: [503, TYPE, 'system_disk_overloaded', 'system overloaded'],
    timeout: [504, TYPE, 'bad_response_status_code', 'bad response status code 504'],
  }

function failGateway(kind: FailureKind, message?: string): Fixed {
  const [status, type, code, usual] = FAILURES[kind]
  const text = `${message ?? usual} (request id: 20261117000000000000000AbCdEfGh)`
  return askToWait(kind, { status, body: { error: { message: text, type, param: '', code } } })
}

/** Each client's own way to show a key, and none besides. */
function authorize({ path, headers }: SeenRequest, key: string): void {
  const given: Record<string, string | undefined> = {
    authorization: headers.authorization?.replace(/^Bearer /, ''),
    'x-api-key': headers['x-api-key'],
    'x-goog-api-key': headers['x-goog-api-key'],
  }
  const wanted = path.startsWith('/v1/messages')
    ? 'x-api-key'
    : path.startsWith('/v1beta/')
      ? 'x-goog-api-key'
      : 'authorization'
  const names = Object.keys(given).filter(name => given[name] !== undefined)
  if (names.length !== 1 || given[wanted] !== key)
    throw new Refusal(`the key is not in ${wanted}`, failGateway('bad-key'))
}

const CENTS = 1234.5

function tell(path: string, query: readonly string[], body: object): Route {
  const said: Rendered = {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
    tally: NO_TALLY,
  }
  return { method: 'GET', path: new RegExp(`^${path}$`), query, takes: 'nothing', answer: () => said }
}

const billing: readonly Route[] = [
  tell('/v1/dashboard/billing/subscription', [], {
    ...{ object: 'billing_subscription', has_payment_method: true, access_until: 0 },
    ...{ soft_limit_usd: 20, hard_limit_usd: 20, system_hard_limit_usd: 20 },
  }),
  tell('/v1/dashboard/billing/usage', ['start_date', 'end_date'], { object: 'list', total_usage: CENTS }),
]

/** What comes first in a list is what is asked. */
const byPath = ({ path }: Route, there: string): boolean => path.test(there)

/** Who calls a model a tool is told its name so, too. */
function checkSearch({ body }: Call): void {
  if (typeof body.model !== 'string' || body.model !== body.search_tool_name)
    throw new Refusal('a search names its model twice', failGateway('bad-request', 'search_tool_name'))
}

const reading: readonly Route[] = [
  { method: 'POST', path: /^\/v1\/ocr$/, takes: 'json', check: checkOcr, answer: answerOcr },
  { method: 'POST', path: /^\/v1\/search$/, takes: 'json', check: checkSearch, answer: answerResults },
]
const all = [...openaiRoutes('/v1'), ...anthropicRoutes, ...geminiRoutes]

function start(
  name: string,
  routes: readonly Route[],
  key: string,
  options: UpstreamOptions,
): Promise<FakeUpstream> {
  return startUpstream(
    {
      name,
      key: options.key ?? key,
      keyHeaders: ['authorization', 'x-api-key', 'x-goog-api-key'],
      authorize,
      fail: failGateway,
      routes,
      socket: { path: /^\/v1\/realtime$/, talk: talkRealtime },
    },
    options,
  )
}

/** It counts no prompts. */
export function startNewApi(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const routes = all.filter(route => !byPath(route, '/v1/messages/count_tokens'))
  return start('New API', [...routes, ...reading, ...billing], 'sk-upstream-new-api-0123456789', options)
}

const shared = ['chat/completions', 'responses', 'messages', 'messages/count_tokens', 'models']
const drawn = ['images/generations', 'images/edits']

/** It has chat in every dialect, counts and pictures, and says what is left in a form of its own. */
export function startSub2api(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const has = (route: Route): boolean =>
    [...shared, ...drawn].some(task => byPath(route, `/v1/${task}`)) ||
    ['generateContent', 'streamGenerateContent'].some(method => byPath(route, `/v1beta/models/m:${method}`))
  const left = tell('/v1/usage', [], { isValid: true, mode: 'unrestricted', balance: 7.65, remaining: 7.65 })
  return start('Sub2API', [...all.filter(has), left], 'sk-upstream-sub2api-0123456789', options)
}

/** A server of somebody's own that speaks as OpenAI does, and has what some gateways have besides. */
export function startOwnServer(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startUpstream(
    {
      ...{
        name: 'own server',
        key: options.key ?? 'sk-own-server-0123456789',
        keyHeaders: ['authorization'],
      },
      authorize: bearerOnly(failOpenai),
      fail: failOpenai,
      routes: [...openaiRoutes('/v1'), ...reading],
      socket: { path: /^\/v1\/realtime$/, talk: talkRealtime },
    },
    options,
  )
}
