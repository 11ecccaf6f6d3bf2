import { e } from './define.ts'

/** What the operator's guards refuse. */
export const guardErrors = {
  'guard.asked': e(400, '请求被护栏规则“{rule}”拦截', 'The request was blocked by the guard “{rule}”'),
  'guard.answered': e(400, '回答被护栏规则“{rule}”拦截', 'The answer was blocked by the guard “{rule}”'),
  'guard.because': e(400, '被护栏规则“{rule}”拦截：{reason}', 'Blocked by the guard “{rule}”: {reason}'),
  'guard.too-long': e(
    400,
    '文本过长，护栏规则“{rule}”无法检查',
    'The text is too long to be checked by the guard “{rule}”',
  ),
  'guard.unanswered': e(
    503,
    '护栏规则“{rule}”暂时无法检查，请稍后重试',
    'The guard “{rule}” cannot check this for the moment, try again shortly',
  ),
  'guard.streamed': e(
    400,
    '护栏规则“{rule}”只能检查完整的回答，请关闭 stream',
    'The guard “{rule}” reads whole answers only: ask without stream',
  ),
  'guard.lines': e(400, '护栏规则“{rule}”无法检查批处理', 'The guard “{rule}” cannot check batches'),
  'guard.talks': e(
    400,
    '护栏规则“{rule}”无法检查实时会话',
    'The guard “{rule}” cannot check realtime sessions',
  ),
  'guard.unread': e(
    400,
    '该模型有护栏规则，不能使用实时会话',
    'Guards are in force for this model: it cannot be talked to in realtime',
  ),
  'guard.unread-pass': e(
    400,
    '该服务有护栏规则，护栏无法读取的内容不能通过',
    'Guards are in force for this service: what they cannot read does not pass',
  ),
  'guard.form': e(
    400,
    '该服务有护栏规则，表单不能超过 {most} 个字段',
    'Guards are in force for this service: a form may have {most} fields at most',
  ),
}
