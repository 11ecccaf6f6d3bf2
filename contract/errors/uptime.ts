import { e } from './define.ts'

/** A status page that the operator tries out. */
export const uptimeErrors = {
  'uptime.unknown-page': e(
    200,
    '该地址没有这个状态页，请检查地址与标识',
    'There is no such status page: check its address and its slug',
  ),
  'uptime.refused': e(200, '状态页返回了状态码 {status}', 'The status page answered with status {status}'),
  'uptime.no-page': e(
    200,
    '返回的不是 Uptime Kuma 状态页的内容',
    'What came back is no status page of Uptime Kuma',
  ),
}
