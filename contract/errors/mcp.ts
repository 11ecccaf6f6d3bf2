import { type ErrorTexts, e } from './define.ts'

/** The Model Context Protocol: what clients of the gateway are told, and those who look after its servers. */
export const mcpErrors = {
  'mcp.http-method': e(405, '该地址只接受 POST 请求', 'This address takes POST requests only'),
  'mcp.not-rpc': e(400, '请求体不是 JSON-RPC 2.0 消息', 'The request body is no JSON-RPC 2.0 message'),
  'mcp.batch': e(400, '不支持 JSON-RPC 批量请求', 'JSON-RPC batches are not taken'),
  'mcp.version': e(
    400,
    '不支持的 MCP 协议版本：{version}',
    'This version of the protocol is not spoken here: {version}',
  ),
  'mcp.header-mismatch': e(
    400,
    '请求头 {header} 与请求体不一致',
    'The header {header} says something else than the body',
  ),
  'mcp.envelope': e(400, '请求的 _meta 缺少 {field}', 'The request’s _meta lacks {field}'),
  'mcp.session': e(404, '会话不存在或已失效', 'Session not found'),
  'mcp.method': e(404, '不支持的方法：{method}', 'Method not found: {method}'),
  'mcp.no-server': e(
    404,
    'MCP 服务 {server} 不存在，或该令牌无权使用',
    'There is no MCP server {server} that this token may use',
  ),
  'mcp.no-tool': e(
    400,
    '工具 {tool} 不存在，或该令牌无权使用',
    'There is no tool {tool} that this token may use',
  ),
  'mcp.no-such': e(400, '找不到：{name}', 'Nothing here goes by this name: {name}'),
  'mcp.away': e(502, 'MCP 服务 {server} 暂时无法访问', 'The MCP server {server} cannot be reached'),
  'mcp.slow': e(504, 'MCP 服务 {server} 响应超时', 'The MCP server {server} took too long'),
  'mcp.refused': e(
    502,
    'MCP 服务 {server} 返回了状态码 {status}',
    'The MCP server {server} answered with status {status}',
  ),
  'mcp.bad-answer': e(
    502,
    'MCP 服务 {server} 的回答无法识别',
    'The MCP server {server} answered with something else than the protocol has',
  ),
  'mcp.cut': e(502, 'MCP 服务 {server} 的回答中断', 'The answer of the MCP server {server} broke off'),
  'mcp.too-large': e(
    502,
    'MCP 服务 {server} 的回答过大',
    'The answer of the MCP server {server} is too large',
  ),
  'mcp.needs-input': e(
    400,
    '该工具需要用户补充信息，请使用支持 MCP 2026-07-28 的客户端',
    'This tool asks its user something, for which a client has to speak version 2026-07-28 of the protocol',
  ),
  'mcp.said': e(502, 'MCP 服务报告了错误：{said}', 'The MCP server reported an error: {said}'),
  'mcp.cancelled': e(499, '调用已被客户端取消', 'The client cancelled the call'),
  'mcp.name-taken': e(200, '已有名为 {name} 的 MCP 服务', 'There is an MCP server of this name: {name}'),
  'mcp.address-password': e(
    200,
    '地址与代理中的密码未显示，更换主机、用户名或代理时请重新填写',
    'Passwords in the address and the proxy are not shown: enter them again when a host, a user or the proxy changes',
  ),
  'mcp.headers-again': e(
    200,
    '修改地址或代理时请重新填写请求头',
    'With another address or proxy, the headers have to be entered again',
  ),
  'mcp.unresolved': e(
    502,
    '无法解析域名，请检查地址与 DNS',
    'The name in its address cannot be resolved: check the address, and DNS',
  ),
  'mcp.unconnected': e(
    502,
    '连接被拒绝，或对方不可达，请检查主机、端口、代理与防火墙',
    'The connection was refused, or nothing is there: check host, port, proxy and firewall',
  ),
  'mcp.untrusted': e(
    502,
    'TLS 连接失败，请检查证书，以及应使用 http 还是 https',
    'TLS failed: check the certificate, and whether it is http or https',
  ),
  'mcp.denied': e(
    502,
    '该服务要求授权，或不接受所填的请求头（状态码 {status}）',
    'It needs authorisation, or does not accept the headers that were given (status {status})',
  ),
  'mcp.missing': e(
    502,
    '该地址上没有 MCP 服务（状态码 {status}），请检查路径',
    'There is no MCP server at this address (status {status}): check the path',
  ),
  'mcp.other-protocol': e(
    502,
    '该地址的回答不是 MCP 协议，请检查路径',
    'What answers at this address does not speak MCP: check the path',
  ),
  'mcp.test': e(200, '连接失败：{reason}', 'The connection failed: {reason}'),
} as const satisfies ErrorTexts
