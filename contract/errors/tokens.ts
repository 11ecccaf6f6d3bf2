import { type ErrorTexts, e } from './define.ts'

export const tokenErrors = {
  'token.name-long': e(200, '令牌名称过长', 'The token’s name is too long: at most 30 bytes'),
  'token.expiry': e(200, '过期时间格式错误！', 'The expiry is not a point in time'),
  'token.address': e(
    200,
    '无效的 IP 地址或网段：{line}',
    'Not an IP address or a network such as 10.0.0.0/8: {line}',
  ),
  'token.group': e(200, '无权使用分组 {group}', 'You may not use group {group}'),
  'token.labels': e(
    200,
    '用途标签最多 {most} 个，每个最多 {longest} 个字符，不能含逗号或不可见字符',
    'A token has {most} labels at most, each of up to {longest} characters, none of them a comma or unseen',
  ),
  'token.refill-amount': e(
    200,
    '额度定期更新时，每次更新的额度必须大于 0',
    'A quota that renews itself needs an amount above 0 to renew to',
  ),
  'token.enable-expired': e(
    200,
    '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
    'The token has expired: change its expiry first, or let it never expire',
  ),
  'token.enable-exhausted': e(
    200,
    '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
    'The token’s quota is used up: raise what remains first, or make it unlimited',
  ),
  'token.arguments': e(200, '参数错误', 'No token is named: ids is blank'),
  'token.key-unknown': e(
    200,
    '此密钥从别处迁入，仅持有者知道，仍照常可用',
    'This key moved in from elsewhere: only its holder knows it, and it works as before',
  ),
} as const satisfies ErrorTexts
