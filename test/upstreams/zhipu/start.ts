import { asText, type JsonObject } from '../../../server/dialects/json.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'

/** Its numbers say what its statuses do not. */
const fail = tellFailures(
  {
    'bad-request': [400, '1210', 'API 调用参数有误，请检查文档'],
    'too-long': [400, '1261', 'Prompt 超长'],
    'bad-key': [401, '1000', '身份验证失败'],
    'account-off': [429, '1113', '您的账户已欠费，请充值后重试'],
    'no-model': [400, '1211', '模型不存在，请检查模型代码'],
    'rate-limit': [429, '1302', '您的账户已达到速率限制，请您控制请求频率'],
    filtered: [400, '1301', '系统检测到输入或生成内容可能包含不安全或敏感内容'],
    'server-error': [500, '500', '内部错误'],
    overloaded: [429, '1305', '该模型当前访问量过大，请您稍后再试'],
  },
  (_, code, message) => ({ error: { code, message } }),
)

const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: '',
  thinking: 'reasoning_content',
  saysNoUsage: false,
  choiceExtra: {},
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  extra: { request_id: '20261116' },
  errorFrame: dataFrame(fail('server-error').body),
}

function findFault({ tool_choice, top_p, reasoning_effort }: JsonObject): string | undefined {
  if (tool_choice !== undefined && tool_choice !== 'auto') return 'Tool choice must be auto'
  if (top_p !== undefined && !(Number(top_p) > 0 && Number(top_p) < 1)) return 'top_p 参数非法'
  const effort = asText(reasoning_effort)
  return effort === undefined || ['low', 'high', 'max'].includes(effort)
    ? undefined
    : 'reasoning_effort 参数非法'
}

export function startZhipu(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'Zhipu',
      key: 'fake0123456789.secret',
      prefix: '/api/paas/v4',
      tasks: ['embeddings', 'images/generations', 'models'],
      style: STYLE,
      accepts: ['thinking', 'reasoning_content', 'do_sample'],
      findFault,
      fail,
    },
    options,
  )
}
