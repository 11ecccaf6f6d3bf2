import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

const types = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'permission_error'],
  [403, 'permission_error'],
  [429, 'rate_limit_error'],
  [451, 'content_filter_error'],
])

const fail = tellFailures(
  {
    'bad-request': [400, '400001', "invalid parameter 'model': model is required"],
    'too-long': [400, '400004', 'the input is too long'],
    'bad-key': [401, '401002', 'invalid api key'],
    'no-balance': [402, '403004', 'endpoint is inactive: FREE_QUOTA_EXHAUSTED'],
    forbidden: [403, '403001', 'access denied: client IP is not in the whitelist'],
    'rate-limit': [429, '429001', 'rate limit exceeded on dimension: rpm'],
    filtered: [451, '451001', 'content was filtered by safety policy'],
    'server-error': [502, '502001', 'provider error'],
  },
  (status, code, message) => ({
    error: {
      type: types.get(status) ?? 'upstream_error',
      code,
      message,
      source: status >= 500 ? 'upstream' : 'gateway',
      request_id: '0123456789abcdef',
    },
  }),
)

const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: '',
  usage: chatUsage,
  thinking: 'reasoning_content',
  saysNoUsage: false,
  choiceExtra: {},
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  lastDelta: { role: 'assistant', content: '' },
  extra: {},
  errorFrame: dataFrame(fail('server-error').body),
}

export function startTokenhub(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'TokenHub',
      key: 'sk-fake0123456789tokenhub',
      prefix: '/v1',
      tasks: ['models'],
      style: STYLE,
      accepts: ['reasoning_content', 'thinking', 'enable_search'],
      fail,
    },
    options,
  )
}
