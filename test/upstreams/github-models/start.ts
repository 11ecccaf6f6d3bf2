import { AZURE_CHAT } from '../azure/start.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

const FILTERED =
  "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."

const TOO_LARGE = [
  413,
  'tokens_limit_reached',
  'Request body too large for gpt-4o model. Max size: 8000 tokens.',
] as const

const fail = tellFailures(
  {
    'bad-request': [400, 'bad_request', 'Invalid request.'],
    'bad-key': [401, 'unauthorized', 'Bad credentials'],
    forbidden: [403, 'no_access', 'No access to model: openai/o1'],
    'no-model': [400, 'unknown_model', 'Unknown model: nobody/nothing'],
    'not-found': [400, 'unavailable_model', 'Unavailable model: o4-mini'],
    'too-long': TOO_LARGE,
    'too-large': TOO_LARGE,
    'rate-limit': [429, 'RateLimitReached', 'Rate limit of 10 per 60s exceeded for UserByModelByMinute.'],
    filtered: [400, 'content_filter', FILTERED],
    'server-error': [500, 'internal_server_error', 'Internal server error'],
  },
  (_, code, message) => ({ error: { code, message, details: message } }),
)

/** Azure's answers behind GitHub's door. */
export function startGithubModels(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'GitHub Models',
      key: 'github_pat_fake0123456789',
      prefix: '/inference',
      tasks: ['embeddings'],
      style: { ...AZURE_CHAT, errorFrame: dataFrame(fail('server-error').body) },
      fail,
    },
    options,
  )
}
