import { askToWait, type FailureKind, type Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [code: number, msg: string]> = {
  'bad-request': [1210, 'API 调用参数有误，请检查文档'],
  'too-long': [1261, 'Prompt 超长'],
  'bad-key': [1002, 'Authentication Token 非法，请确认 Authentication Token 正确传递'],
  'account-off': [1112, '您的账户已被锁定，请联系客服解锁'],
  'no-balance': [1113, '您的账户已欠费，请充值后重试'],
  forbidden: [1220, '您无权访问 chatglm_pro'],
  'not-found': [1222, 'API 不存在'],
  'no-model': [1211, '模型不存在，请检查模型代码'],
  'too-large': [1261, 'Prompt 超长'],
  'rate-limit': [1302, '您当前使用该 API 的并发数过高，请降低并发，或联系客服增加限额'],
  quota: [1304, '该 API 已达今日调用次数限额，如有更多需求，请联系客服购买'],
  filtered: [
    1301,
    '系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语，感谢您的配合',
  ],
  'server-error': [500, '内部错误'],
  overloaded: [1305, '当前 API 请求过多，请稍后重试'],
  timeout: [1234, '网络错误，错误id：2026111508，请联系客服'],
}

/** With status 200, whatever it is. */
export function failChatglm(kind: FailureKind, message?: string): Fixed {
  const [code, usual] = FAILURES[kind]
  const fixed = { status: 200, body: { code, msg: message ?? usual, success: false } }
  return askToWait(kind, fixed)
}

export function refuseChatglm(message: string, kind: FailureKind = 'bad-request'): never {
  throw new Refusal(message, failChatglm(kind, message))
}
