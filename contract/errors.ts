import { accountErrors } from './errors/accounts.ts'
import { channelErrors } from './errors/channels.ts'
import { type ErrorTexts, e } from './errors/define.ts'
import { featureErrors } from './errors/features.ts'
import { fieldErrors } from './errors/fields.ts'
import { guardErrors } from './errors/guards.ts'
import { limitErrors } from './errors/limits.ts'
import { logErrors } from './errors/logs.ts'
import { mcpErrors } from './errors/mcp.ts'
import { mediaErrors } from './errors/media.ts'
import { noticeErrors } from './errors/notices.ts'
import { outboundErrors } from './errors/outbound.ts'
import { paymentErrors } from './errors/payment.ts'
import { planErrors } from './errors/plans.ts'
import { priceSourceErrors } from './errors/price-sources.ts'
import { promptErrors } from './errors/prompts.ts'
import { redemptionErrors } from './errors/redemptions.ts'
import { signInErrors } from './errors/sign-in.ts'
import { taskErrors } from './errors/tasks.ts'
import { teamErrors } from './errors/teams.ts'
import { tokenErrors } from './errors/tokens.ts'
import { upstreamErrors } from './errors/upstream.ts'
import { userAdminErrors } from './errors/users.ts'

/**
 * Every error a caller can meet, with its HTTP status and its text. Business failures are 200 with
 * `success: false`, as every tool of this family expects; 4xx and 5xx are kept for the transport.
 */
export const errors = {
  // Who is calling
  'auth.required': e(
    401,
    '无权进行此操作，未登录且未提供 access token',
    'Not allowed: you are not logged in and gave no access token',
  ),
  'auth.user-header-missing': e(
    401,
    '无权进行此操作，未提供 New-Api-User',
    'Not allowed: the New-Api-User header is missing',
  ),
  'auth.user-header-format': e(
    401,
    '无权进行此操作，New-Api-User 格式错误',
    'Not allowed: the New-Api-User header is not a number',
  ),
  'auth.user-header-mismatch': e(
    401,
    '无权进行此操作，New-Api-User 与登录用户不匹配',
    'Not allowed: the New-Api-User header is not the logged-in user',
  ),
  'auth.bad-access-token': e(
    200,
    '无权进行此操作，access token 无效',
    'Not allowed: the access token is invalid',
  ),
  'auth.banned': e(200, '用户已被封禁', 'This user is banned'),
  'auth.role-too-low': e(200, '无权进行此操作，权限不足', 'Not allowed: your role is too low'),
  'auth.session-only': e(
    400,
    '此操作不支持 access token，请登录后使用',
    'This call does not take an access token: log in instead',
  ),
  'auth.foreign-origin': e(403, '请求来源不被允许', 'This request came from another site and was refused'),

  // What is being asked
  'request.invalid': e(
    400,
    '无效的参数',
    'The request cannot be read: its body must be JSON in UTF-8, and no NUL may be in it',
  ),
  'request.field': e(200, '输入不合法 {detail}', 'Invalid input: {detail}'),
  'request.too-large': e(
    413,
    '请求内容过大，最多 {limit} 字节',
    'The request body is too large: at most {limit} bytes',
  ),
  'request.coding': e(
    415,
    '请求体无法按 Content-Encoding {coding} 解压，支持 gzip、deflate、br、zstd',
    'The request body cannot be unpacked as Content-Encoding {coding}: gzip, deflate, br and zstd are taken',
  ),
  'request.key-reused': e(
    409,
    '该 Idempotency-Key 已用于另一个请求，请换一个',
    'This Idempotency-Key was used for another request: take a new one',
  ),
  'request.bad-host': e(400, '无效的 Host 请求头', 'The Host header is not valid'),
  'request.not-found': e(404, '无效的地址（{method} {path}）', 'Invalid URL ({method} {path})'),
  'request.method': e(405, '该地址不支持 {method} 方法', 'This address does not take {method}'),
  'request.too-many': e(429, '请求过多，请稍后再试', 'Too many requests, try again later'),
  'books.closed': e(
    200,
    '该调用所在月份的账目已结账合并，逐笔明细不再保留',
    'The books of the month of this call are closed: it stands in them as a part of a sum',
  ),
  'row.not-found': e(200, 'record not found', 'record not found'),

  // Our own state
  'server.internal': e(
    500,
    '服务器内部错误，请联系管理员（请求 {requestId}）',
    'Internal server error, contact the administrator (request {requestId})',
  ),
  'store.unavailable': e(
    503,
    '数据库暂时不可用，请稍后重试',
    'The database is unavailable for the moment, try again shortly',
  ),

  // Set-up
  'setup.closed': e(403, '系统已完成初始化', 'Set-up is already done'),
  'setup.bad-token': e(
    403,
    '初始化令牌无效，请使用启动日志中的链接',
    'The set-up token is wrong: use the link from the start-up log',
  ),

  // Accounts
  'login.password-disabled': e(
    200,
    '管理员关闭了密码登录',
    'The administrator has switched off password login',
  ),
  'login.incomplete': e(200, '无效的参数', 'Please enter username and password'),
  'login.failed': e(
    200,
    '用户名或密码错误，或用户已被封禁',
    'Wrong username or password, or the user is banned',
  ),
  'login.too-many': e(
    429,
    '登录尝试过多，请在 {minutes} 分钟后重试',
    'Too many login attempts, try again in {minutes, plural, one {# minute} other {# minutes}}',
  ),
  'user.password-length': e(
    200,
    '密码长度必须在 8 到 20 个字符之间',
    'The password must be 8 to 20 characters long',
  ),
  'user.username-length': e(
    200,
    '用户名长度必须在 1 到 12 个字符之间',
    'The username must be 1 to 12 characters long',
  ),
  'user.username-unseen': e(
    200,
    '用户名不能含有不可见的字符',
    'The username must not have characters that cannot be seen',
  ),
  'user.username-address': e(200, '用户名不能是邮箱地址', 'The username must not be an e-mail address'),

  // Money
  'ledger.amount': e(400, '额度必须是非负整数', 'The amount must be a whole number, zero or more'),
  'ledger.user-quota': e(403, '用户额度不足', 'The user’s quota is not enough'),
  'ledger.token-quota': e(403, '令牌额度不足', 'The token’s quota is not enough'),
  'ledger.member-limit': e(
    403,
    '您在该团队中的可用额度已用完，或不足以支付本次请求',
    'What you may spend in this team is used up, or too little for this request',
  ),
  'ledger.member-limit-until': e(
    403,
    '您在该团队中的可用额度已用完，或不足以支付本次请求，将于 {time} 恢复',
    'What you may spend in this team is used up, or too little for this request; it renews at {time}',
  ),
  'ledger.spend-limit': e(
    403,
    '该账户的消费上限已用完，或不足以支付本次请求',
    'What this account may spend is used up, or too little for this request',
  ),
  'ledger.spend-limit-until': e(
    403,
    '该账户当前时段的消费上限已用完，或不足以支付本次请求，将于 {time} 恢复',
    'What this account may spend for now is used up, or too little for this request; it renews at {time}',
  ),
  'redeem.blank': e(200, '请输入兑换码！', 'Please enter a redemption code'),
  'redeem.invalid': e(200, '兑换失败，无效的兑换码', 'Redemption failed: the code is invalid'),
  'redeem.used': e(200, '兑换失败，该兑换码已被使用', 'Redemption failed: the code has been used'),
  'redeem.expired': e(200, '兑换失败，该兑换码已过期', 'Redemption failed: the code has expired'),
  'earnings.too-little': e(
    200,
    '划转失败 转移额度最小为{least}！',
    'Not transferred: the smallest amount is {least}',
  ),
  'earnings.not-enough': e(
    200,
    '划转失败 邀请额度不足！',
    'Not transferred: not enough earnings from invitations',
  ),
  'checkin.off': e(404, '签到功能未启用', 'Check-in is not enabled'),
  'checkin.done': e(200, '今日已签到', 'You have checked in today already'),
  'rankings.off': e(404, '排行榜未启用', 'Rankings are not enabled'),
  'performance.off': e(404, '模型近况未启用', 'Model performance is not published'),
  'token.unavailable': e(401, '该令牌状态不可用', 'This token is not usable'),
  'token.expired': e(401, '该令牌已过期', 'This token has expired'),
  'ledger.closed': e(409, '该请求已结算', 'This request is already settled'),

  // Settings
  'option.unknown': e(200, '未知的设置项：{key}', 'Unknown setting: {key}'),
  'option.json': e(200, '{key} 不是合法的 JSON 字符串', '{key}: not a valid JSON string'),
  'option.value': e(200, '{key} 的值不合法：{detail}', '{key}: {detail}'),
  'option.group-ratio': e(
    200,
    'group ratio must be not less than 0: {name}',
    'group ratio must be not less than 0: {name}',
  ),
  'option.github-first': e(
    200,
    '无法启用 GitHub OAuth，请先填入 GitHub Client Id 以及 GitHub Client Secret！',
    'Cannot enable GitHub OAuth: fill in the GitHub client id and secret first',
  ),
  'option.discord-first': e(
    200,
    '无法启用 Discord OAuth，请先填入 Discord Client ID、Discord Client Secret 以及服务器地址！',
    'Cannot enable Discord OAuth: fill in the Discord client ID and secret and the server address first',
  ),
  'option.linuxdo-first': e(
    200,
    '无法启用 LinuxDO OAuth，请先填入 LinuxDO Client Id 以及 LinuxDO Client Secret！',
    'Cannot enable LinuxDO OAuth: fill in the LinuxDO client id and secret first',
  ),
  'option.oidc-first': e(
    200,
    '无法启用单点登录，请先填入签发者地址、OIDC Client ID 以及服务器地址！',
    'Cannot enable single sign-on: fill in the issuer, the OIDC client ID and the server address first',
  ),
  'option.wechat-first': e(
    200,
    '无法启用微信登录，请先填入微信登录相关配置信息！',
    'Cannot enable WeChat login: fill in the WeChat server settings first',
  ),
  'option.telegram-first': e(
    200,
    '无法启用 Telegram 登录，请先填入 Telegram Bot 令牌与名称！',
    'Cannot enable Telegram login: fill in the bot token and name first',
  ),
  'option.turnstile-first': e(
    200,
    '无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！',
    'Cannot enable Turnstile: fill in its site key and secret key first',
  ),
  'option.whitelist-first': e(
    200,
    '无法启用邮箱域名限制，请先填入限制的邮箱域名！',
    'Cannot enable the e-mail domain restriction: fill in the allowed domains first',
  ),
  'option.checkin-range': e(
    200,
    '签到的最低额度不能大于最高额度',
    'The least a check-in brings cannot be above the most',
  ),
  'option.edited': e(
    200,
    '此项在编辑期间已被他人修改，您的内容尚未保存',
    'Somebody else changed this while you edited it; yours is not saved',
  ),
  'option.lost-secret': e(
    200,
    '请重新输入密钥：{of}',
    'Enter the secret again, since it was given for another name or address: {of}',
  ),
  'option.long-secret': e(
    200,
    '密钥最多 {most} 个字符：{of}',
    'A secret has at most {most} characters: {of}',
  ),
  'option.needed': e(
    200,
    '“{setting}”仍需要此项，请先关闭或清空它',
    '“{setting}” needs this: switch that off or clear it first',
  ),
  'option.payment-first': e(200, '请先填写服务器地址', 'Fill in the server address first'),

  // Prices
  'price.unknown-model': e(
    400,
    '模型 {model} 的价格未配置，请联系管理员',
    'Model {model} has no price: ask the administrator to set one',
  ),
  'price.unknown-group': e(403, '分组 {group} 已被弃用', 'Group {group} is no longer in use'),
  'price.amount': e(400, '{name} 必须是不小于 0 的整数', '{name} must be a whole number of 0 or more'),
  'price.too-high': e(400, '费用超出可计算的范围', 'The cost is too high to be calculated'),

  // Calls of models. Texts reach the client in its own dialect and never name a host or a key.
  'relay.no-key': e(401, '未提供令牌', 'No API key was given'),
  'relay.bad-key': e(401, '无效的令牌', 'The API key is not valid'),
  'token.exhausted': e(401, '该令牌额度已用尽', 'This token’s quota is used up'),
  'relay.user-banned': e(403, '用户已被封禁', 'This user is banned'),
  'relay.pin-denied': e(403, '普通用户不支持指定渠道', 'Only administrators may choose a channel'),
  'relay.bad-channel': e(400, '无效的渠道 Id', 'The channel id is not valid'),
  'relay.channel-disabled': e(403, '该渠道已被禁用', 'That channel is disabled'),
  'relay.ip-denied': e(
    403,
    '您的 IP 不在令牌允许访问的列表中',
    'Your IP address is not among those that this token allows',
  ),
  'relay.group-denied': e(403, '令牌分组 {group} 已被禁用', 'Group {group} of this token is disabled'),
  'relay.group-changed': e(
    403,
    '您的分组已变更，计费倍率随之不同，请重新连接',
    'Your group is another by now, and so is what this costs: connect again',
  ),
  'relay.model-denied': e(403, '该令牌无权访问模型 {model}', 'This token may not use model {model}'),
  'relay.no-channel': e(
    503,
    '当前分组 {group} 下对于模型 {model} 无可用渠道',
    'No channel is available for model {model} in group {group}',
  ),
  'relay.model-unknown': e(404, '模型 {model} 不存在', 'The model {model} does not exist'),
  'relay.invalid-json': e(400, '请求体不是合法的 JSON 对象', 'The request body is not a valid JSON object'),
  'relay.crowded-json': e(
    400,
    '请求体中的对象、列表与文本超过 {most} 个，或数字超过 {numbers} 个',
    'The request body has more than {most} objects, lists and texts, or than {numbers} numbers',
  ),
  'relay.model-required': e(400, '未指定模型名称，模型名称不能为空', 'The request names no model'),
  'relay.sensitive': e(400, 'sensitive words: {words}', 'sensitive words: {words}'),
  'relay.mapping-cycle': e(
    500,
    '模型重定向存在循环，请联系管理员',
    'The model mapping goes round in a circle: ask the administrator',
  ),
  'relay.upstream-failed': e(502, '请求上游地址失败', 'The upstream could not be reached'),
  'relay.upstream-busy': e(
    429,
    '当前分组上游负载已饱和，请稍后再试',
    'All upstreams of this group are busy, try again later',
  ),
  'relay.upstream-slow': e(504, '上游响应超时', 'The upstream took too long'),
  'relay.upstream-cut': e(
    502,
    '上游在回答完成之前中断了连接',
    'The upstream broke off before the answer was complete',
  ),
  'relay.client-gone': e(
    499,
    '客户端在回答完成之前断开了连接',
    'The client closed the connection before the answer was complete',
  ),
  'relay.lack': e(
    503,
    '本服务暂时无法建立新的连接，请稍后再试',
    'This server cannot open another connection right now, try again later',
  ),
  'relay.upstream-empty': e(
    502,
    '上游返回了空的或无法识别的内容',
    'The upstream’s answer was empty or unreadable',
  ),
  'relay.unknown-response': e(
    404,
    '未找到先前的响应 {id}，请重新发送完整的对话',
    'The earlier response {id} is not known here: send the whole conversation instead',
  ),
  'relay.quota-ended': e(403, '额度已用尽，回答被中止', 'The quota is used up: the answer was ended here'),
  'relay.media': e(400, '无法获取文件：{detail}', 'A file could not be fetched: {detail}'),
  'relay.websocket': e(426, '该地址需要 WebSocket 连接', 'This address takes WebSocket connections only'),
  'relay.socket-full': e(
    429,
    '此连接上等待处理的请求过多，请稍后再发送',
    'Too many requests wait on this connection: send this one again when some are done',
  ),
  'relay.socket-old': e(
    400,
    '此连接已达到 {minutes} 分钟的上限，请建立新的 WebSocket 连接',
    'This connection has reached its limit of {minutes} minutes: open a new WebSocket connection to go on',
  ),
  'relay.socket-ending': e(
    503,
    '本服务正在重启，请建立新的 WebSocket 连接后再试',
    'This server is about to end: send this again on a new WebSocket connection',
  ),
  'playground.group-denied': e(403, '无权访问分组 {group}', 'You may not use group {group}'),

  ...accountErrors,
  ...channelErrors,
  ...featureErrors,
  ...fieldErrors,
  ...guardErrors,
  ...limitErrors,
  ...logErrors,
  ...mcpErrors,
  ...mediaErrors,
  ...noticeErrors,
  ...outboundErrors,
  ...upstreamErrors,
  ...userAdminErrors,
  ...signInErrors,
  ...taskErrors,
  ...teamErrors,
  ...tokenErrors,
  ...redemptionErrors,
  ...promptErrors,
  ...paymentErrors,
  ...planErrors,
  ...priceSourceErrors,
} as const satisfies ErrorTexts

export type ErrorCode = keyof typeof errors
