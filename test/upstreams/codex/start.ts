import { asArray, asObject, asText } from '../../../server/dialects/json.ts'
import type { FailureKind, Fixed } from '../failure.ts'
import { answerSearch, checkSearch } from '../openai/answer-search.ts'
import { checkResponses } from '../openai/check-responses.ts'
import { failOpenai } from '../openai/fail.ts'
import { readResponsesTurn } from '../openai/read-responses-turn.ts'
import { writeResponses } from '../openai/write-responses.ts'
import { startUpstream } from '../start-upstream.ts'
import { NO_TALLY } from '../tally.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Rendered,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'

export const ACCOUNT = '0f8fad5b-d9cb-469f-a165-70867728950e'
const CLIENT_ID = 'app_EMoamEEZ73f0CkXaXp7hrann'
const DAY = 86_400

/** A token as OpenAI issues them, but for the signature. */
export function accessToken(name: string, expiresAt: number): string {
  const pack = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { exp: expiresAt, iat: expiresAt - 10 * DAY, jti: name }
  return `${pack({ alg: 'RS256', typ: 'JWT' })}.${pack(claims)}.c2lnbmF0dXJl`
}

export function keyOf(access_token: string, refresh_token: string): string {
  return JSON.stringify({
    access_token,
    refresh_token,
    account_id: ACCOUNT,
    type: 'codex',
    email: 'a@b.example',
  })
}

/** Its limits are those of a subscription, and its own words are few. */
function failCodex(kind: FailureKind, message?: string): Fixed {
  if (kind === 'bad-key')
    return { status: 401, body: { detail: message ?? 'Could not parse your authentication token.' } }
  if (kind === 'quota')
    return {
      status: 429,
      body: {
        error: {
          ...{ type: 'usage_limit_reached', message: message ?? 'The usage limit has been reached' },
          ...{ plan_type: 'plus', resets_in_seconds: 5 },
        },
      },
    }
  if (kind === 'bad-request') return { status: 400, body: { detail: message ?? 'Bad Request' } }
  return failOpenai(kind, message)
}

function refuse(message: string): never {
  throw new Refusal(message, failCodex('bad-request', message))
}

const UNSUPPORTED = [
  ...['max_output_tokens', 'temperature', 'top_p', 'truncation', 'metadata', 'user', 'previous_response_id'],
  ...['safety_identifier', 'background', 'max_tool_calls', 'top_logprobs', 'prompt_cache_retention'],
]

function check(call: Call): void {
  const { body } = call
  const unsupported = UNSUPPORTED.find(name => body[name] !== undefined)
  if (unsupported !== undefined) refuse(`Unsupported parameter: ${unsupported}`)
  if (body.store !== false) refuse('Store must be set to false')
  if (body.stream !== true) refuse('Stream must be set to true')
  if (!asText(body.instructions)) refuse('Instructions are required')
  if (!Array.isArray(body.input)) refuse('Input must be a list')
  if (asArray(body.input).some(item => asObject(item)?.role === 'system'))
    refuse('System messages are not allowed')
  checkResponses(call)
}

export interface FakeCodex extends FakeUpstream {
  /** Refresh tokens that were exchanged, in order. */
  readonly exchanged: string[]
  /** Access tokens that calls came with, each once. */
  readonly shown: Set<string>
}

/** One account, whose refresh tokens can be used once each; the next ones live for ten days. */
export async function startCodex(options: UpstreamOptions = {}): Promise<FakeCodex> {
  const now = Math.floor(Date.now() / 1000)
  const key = options.key ?? keyOf(accessToken('first', now + 9 * DAY), 'rt_first_0123456789abcdef')
  const good = new Set([accessTokenIn(key)])
  const exchanged: string[] = []
  const shown = new Set<string>()

  function exchange({ body }: Call): Rendered {
    const token = asText(body.refresh_token) ?? ''
    if (body.client_id !== CLIENT_ID || body.grant_type !== 'refresh_token') refuse('invalid_request')
    if (!token.startsWith('rt_') || exchanged.includes(token))
      throw new Refusal('the refresh token was used before', {
        status: 401,
        body: {
          error: {
            ...{ message: 'Your refresh token has already been used to generate a new access token.' },
            ...{ type: 'invalid_request_error', param: null, code: 'refresh_token_reused' },
          },
        },
      })
    exchanged.push(token)
    const access_token = accessToken(`after ${token}`, now + 10 * DAY)
    good.add(access_token)
    const said = {
      access_token,
      refresh_token: `${token}_next`,
      id_token: 'e30.e30.e30',
      token_type: 'Bearer',
    }
    return { contentType: 'application/json', body: JSON.stringify(said), tally: NO_TALLY }
  }

  function authorize({ path, headers }: SeenRequest): void {
    if (path === '/oauth/token') return
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!good.has(token) || headers['chatgpt-account-id'] !== ACCOUNT)
      throw new Refusal('the token is wrong', failCodex('bad-key'))
    if (headers.originator === undefined || headers['openai-beta'] === undefined) refuse('who are you?')
    shown.add(token)
  }

  const fake = await startUpstream(
    {
      name: 'Codex',
      key,
      keyHeaders: ['authorization'],
      authorize,
      fail: failCodex,
      routes: [
        {
          ...{ method: 'POST', path: /^\/backend-api\/codex\/responses$/, takes: 'json' },
          check,
          answer: (call, answer) => writeResponses(call, readResponsesTurn(call.body), answer),
        },
        {
          ...{ method: 'POST', path: /^\/backend-api\/codex\/alpha\/search$/, takes: 'json' },
          check: checkSearch,
          answer: answerSearch,
        },
        { method: 'POST', path: /^\/oauth\/token$/, takes: 'json', answer: exchange },
      ],
    },
    options,
  )
  return { ...fake, exchanged, shown }
}

function accessTokenIn(key: string): string {
  return asText(JSON.parse(key).access_token) ?? ''
}
