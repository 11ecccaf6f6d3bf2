import type { FailureKind, Fixed } from '../failure.ts'
import { Refusal } from '../upstream.ts'

const FAILURES: Record<FailureKind, readonly [code: string, message: string]> = {
  'bad-request': ['InvalidParameter', 'Temperature must be 2 or less'],
  'too-long': ['InvalidParameterValue', '输入内容过长'],
  'bad-key': ['AuthFailure.SignatureFailure', 'The provided credentials could not be validated.'],
  'account-off': ['AuthFailure.SecretIdNotFound', 'The SecretId is not found'],
  'no-balance': ['FailedOperation.ServiceStopArrears', '欠费停服。'],
  forbidden: ['UnauthorizedOperation', 'you are not authorized to perform operation'],
  'not-found': ['InvalidAction', 'The request action=`Nothing` is invalid or not found'],
  'no-model': ['InvalidParameterValue.Model', '模型不存在。'],
  'too-large': ['RequestSizeLimitExceeded', 'The request size exceeds the limit'],
  'rate-limit': ['RequestLimitExceeded', 'Your current request times equals to `6` in a second'],
  quota: ['FailedOperation.EngineServerLimitExceeded', '引擎层请求超过限额；请稍后重试。'],
  filtered: ['OperationDenied.TextIllegalDetected', '文本包含违法违规信息，审核不通过。'],
  'server-error': ['FailedOperation.EngineServerError', '引擎层内部错误；请稍后重试。'],
  overloaded: ['ResourceInsufficient', '资源不足'],
  timeout: ['FailedOperation.EngineRequestTimeout', '引擎层请求超时；请稍后重试。'],
}

/** With status 200, whatever it is. */
export function failTencent(kind: FailureKind, message?: string): Fixed {
  const [Code, usual] = FAILURES[kind]
  const Response = {
    RequestId: '188cc996-ab09-49a7-aa9f-1df88f11c6b4',
    Error: { Code, Message: message ?? usual },
  }
  return { status: 200, body: { Response } }
}

export function refuseTencent(message: string, kind: FailureKind = 'bad-request'): never {
  throw new Refusal(message, failTencent(kind, message))
}
