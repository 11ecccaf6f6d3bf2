import { type ErrorTexts, e } from './define.ts'

/** What is refused of calls that any HTTP API is to get. */
export const passErrors = {
  'pass.socket': e(400, '该地址不支持 WebSocket', 'WebSockets do not pass here: ask by plain HTTP'),
  'pass.method': e(405, '不支持的请求方法 {method}', 'The method {method} does not pass here'),
  'pass.no-body': e(400, '{method} 请求不能带请求体', 'A {method} request cannot have a body here'),
  'pass.path': e(400, '路径不能离开该服务的地址', 'The path must not lead out of its service'),
  'pass.not-allowed': e(403, '该服务不允许 {method} {path}', 'This service does not allow {method} {path}'),
} as const satisfies ErrorTexts
