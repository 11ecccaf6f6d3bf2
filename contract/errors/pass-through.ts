import { type ErrorTexts, e } from './define.ts'

/** What is refused of calls that any HTTP API is to get. */
export const passErrors = {
  'pass.socket': e(400, '该地址不支持 WebSocket', 'WebSockets do not pass here: ask by plain HTTP'),
  'pass.part-of-page': e(
    403,
    '接口的内容不能作为网页的脚本或样式加载',
    'What an API answers is no script or style of a page: fetch it instead',
  ),
  'pass.method': e(405, '不支持的请求方法 {method}', 'The method {method} does not pass here'),
  'pass.no-body': e(400, '{method} 请求不能带请求体', 'A {method} request cannot have a body here'),
  'request.slow-body': e(
    408,
    '请求内容没有在限定时间内传完',
    'The request body did not come in time: send it faster, or in smaller parts',
  ),
  'pass.path': e(400, '路径不能离开该服务的地址', 'The path must not lead out of its service'),
  'price.not-per-call': e(
    400,
    '服务 {model} 没有按次价格，请联系管理员在 ModelPrice 中设置（0 为免费）',
    'The service {model} has no price per call: its operator has to set one in ModelPrice (0 is free)',
  ),
  'pass.not-allowed': e(403, '该服务不允许 {method} {path}', 'This service does not allow {method} {path}'),
} as const satisfies ErrorTexts
