import { e } from './define.ts'

/** Outgoing requests. Texts never name a host: they reach whoever supplied the address. */
export const outboundErrors = {
  'outbound.bad-url': e(400, '地址无效', 'The address is not a valid URL'),
  'outbound.scheme': e(400, '只允许 http 与 https 地址', 'Only http and https addresses are allowed'),
  'outbound.port': e(
    400,
    '不允许访问该端口，用户提供的地址只能使用 80、443、8080 或 8443',
    'That port is not allowed: addresses that users give may have 80, 443, 8080 or 8443',
  ),
  'outbound.address': e(400, '不允许访问该地址', 'That address is not allowed'),
  'outbound.resolve': e(400, '无法解析该地址', 'The address could not be resolved'),
  'outbound.redirects': e(400, '重定向次数过多', 'Too many redirects'),
  'outbound.redirect': e(400, '重定向目标不被允许', 'The answer redirects where it may not'),
  'outbound.header': e(400, '请求头包含非法字符', 'A request header holds a character that is not allowed'),
  'outbound.proxy': e(
    400,
    '代理地址无效，仅支持 http 与 https 代理',
    'Only http and https proxies are supported',
  ),
  'outbound.too-large': e(400, '响应内容过大', 'The answer is too large'),
  'outbound.timeout': e(504, '请求超时', 'The request took too long'),
  'outbound.connect': e(502, '无法建立连接', 'The connection could not be made'),
  'outbound.lack': e(
    503,
    '本服务缺少建立连接所需的资源，或其域名解析不可用',
    'This server lacks what it takes to open a connection, or cannot resolve names',
  ),
  'outbound.tls': e(502, '安全连接校验失败', 'The secure connection could not be verified'),
  'outbound.failed': e(
    502,
    '请求失败：对方中断了连接，或返回了无法识别的内容',
    'The request failed: the other side broke off, or sent what cannot be read',
  ),

  // A status page that the operator tries out
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
