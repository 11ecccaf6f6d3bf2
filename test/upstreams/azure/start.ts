import { type FailureKind, type Fixed, RETRY_AFTER } from '../failure.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { failOpenai } from '../openai/fail.ts'
import { readChatTurn } from '../openai/read-chat-turn.ts'
import { openaiRoutes } from '../openai/start.ts'
import { talkRealtime } from '../openai/talk-realtime.ts'
import { type ChatStyle, writeChat } from '../openai/write-chat.ts'
import { startUpstream } from '../start-upstream.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Route,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

const SAFE = { filtered: false, severity: 'safe' }
const FILTERS = { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE }
const PROMPT_FILTERS = [{ prompt_index: 0, content_filter_results: FILTERS }]

/** The first chunk has no choice at all and says only that the prompt was clean. */
export const AZURE_CHAT: ChatStyle = {
  ...OPENAI_CHAT,
  choiceExtra: { logprobs: null, content_filter_results: FILTERS },
  preface: base => [
    dataFrame({
      ...base,
      id: '',
      object: '',
      created: 0,
      model: '',
      choices: [],
      prompt_filter_results: PROMPT_FILTERS,
    }),
  ],
}

const DENIED =
  'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.'
const NO_DEPLOYMENT =
  'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.'

function azureError(status: number, code: string, message: string, more: object = {}): Fixed {
  return { status, headers: { 'apim-request-id': '0123' }, body: { error: { code, message, ...more } } }
}

const LIMITED =
  'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2025-04-01-preview have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 7 seconds.'

function failAzure(kind: FailureKind, message?: string): Fixed {
  switch (kind) {
    case 'bad-key':
    case 'account-off':
      return azureError(401, '401', message ?? DENIED)
    case 'no-model':
      return azureError(404, 'DeploymentNotFound', message ?? NO_DEPLOYMENT)
    case 'not-found':
      return azureError(404, '404', message ?? 'Resource not found')
    case 'rate-limit':
    case 'quota': {
      const fixed = azureError(429, '429', message ?? LIMITED)
      return { ...fixed, headers: { ...fixed.headers, 'Retry-After': RETRY_AFTER } }
    }
    case 'filtered':
      return azureError(
        400,
        'content_filter',
        message ??
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        {
          type: null,
          param: 'prompt',
          status: 400,
          innererror: {
            code: 'ResponsibleAIPolicyViolation',
            content_filter_result: { ...FILTERS, violence: { filtered: true, severity: 'high' } },
          },
        },
      )
    default:
      return failOpenai(kind, message)
  }
}

const LEGACY = '/openai/deployments/(?<deployment>[^/]+)'

/** Models are deployments: in the path of old, in the body of the newer surface. */
export function startAzure(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = '0123456789abcdef0123456789abcdef' } = options
  const legacy = openaiRoutes(LEGACY).map(legacyRoute)
  return startUpstream(
    {
      name: 'Azure',
      key,
      keyHeaders: ['api-key'],
      authorize,
      fail: failAzure,
      routes: [...openaiRoutes('/openai/v1').map(filtered), ...legacy],
      socket: { path: /^\/openai\/(v1\/)?realtime$/, talk: talkRealtime },
    },
    options,
  )
}

function authorize(seen: SeenRequest, key: string): void {
  if (seen.headers['api-key'] !== key) throw new Refusal('the key is wrong', failAzure('bad-key'))
}

function isChat(route: Route): boolean {
  return route.path.source.endsWith('chat\\/completions$')
}

function filtered(route: Route): Route {
  const newer = { ...route, query: ['api-version', ...(route.query ?? [])] }
  if (!isChat(route)) return newer
  return {
    ...newer,
    answer: (call, answer) => writeChat(call, readChatTurn(call.body), AZURE_CHAT, answer),
  }
}

function legacyRoute(route: Route): Route {
  const { answer } = filtered(route)
  const named = (call: Call): Call => ({ ...call, body: { ...call.body, model: call.params.deployment } })
  return {
    ...route,
    query: ['api-version'],
    check(call) {
      if (!/^\d{4}-\d{2}-\d{2}(-preview)?$/.test(call.seen.query['api-version'] ?? ''))
        throw new Refusal('api-version is missing', failAzure('not-found'))
      const { models } = call.options
      if (models !== undefined && !models.includes(call.params.deployment ?? ''))
        throw new Refusal(`no deployment ${call.params.deployment}`, failAzure('no-model'))
      route.check?.(named(call))
    },
    answer: (call, script) => answer(named(call), script),
  }
}
