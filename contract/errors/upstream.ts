import { type ErrorTexts, e } from './define.ts'
import { passErrors } from './pass-through.ts'

/** What is said of an upstream that failed, where it has no words of its own. */
export const upstreamErrors = {
  'upstream.unsaid': e(502, '上游报告了错误', 'The upstream reported an error'),
  'upstream.number': e(502, '上游报告了错误 {number}', 'The upstream reported error {number}'),
  'upstream.status': e(502, '上游返回了状态码 {status}', 'The upstream answered with status {status}'),
  'upstream.said': e(502, '上游返回 {status}：{words}', 'The upstream answered {status}: {words}'),
  'upstream.handshake': e(
    502,
    '上游以状态码 {status} 拒绝了连接',
    'The upstream refused the connection with status {status}',
  ),
  'upstream.no-token': e(502, '上游没有给出访问令牌', 'The token endpoint gave no token'),
  'upstream.private-key': e(
    400,
    '服务账号的私钥无法读取',
    'The private key of the service account cannot be read',
  ),
  'upstream.workflow-waits': e(501, '工作流正在等待人工处理', 'The workflow waits for somebody'),
  'upstream.workflow-ended': e(502, '工作流以 {status} 结束', 'The workflow ended as {status}'),
  ...passErrors,
} as const satisfies ErrorTexts
