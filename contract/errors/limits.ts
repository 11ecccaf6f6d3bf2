import { type ErrorTexts, e } from './define.ts'

/** Which limit a call has met, and when to come back. */
export const limitErrors = {
  'limit.token-requests': e(
    429,
    '该令牌每分钟最多 {limit} 次请求，请在 {retryAfter} 秒后重试',
    'This token may make {limit, plural, one {# request} other {# requests}} a minute: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.token-tokens': e(
    429,
    '该令牌每分钟最多使用 {limit} 个 Token，请在 {retryAfter} 秒后重试',
    'This token may use {limit, plural, one {# model token} other {# model tokens}} a minute: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.token-concurrency': e(
    429,
    '该令牌最多同时进行 {limit} 个请求，请在 {retryAfter} 秒后重试',
    'This token may have {limit, plural, one {# request} other {# requests}} under way at once: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.user-requests': e(
    429,
    '该用户每分钟最多 {limit} 次请求，请在 {retryAfter} 秒后重试',
    'This user may make {limit, plural, one {# request} other {# requests}} a minute: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.user-tokens': e(
    429,
    '该用户每分钟最多使用 {limit} 个 Token，请在 {retryAfter} 秒后重试',
    'This user may use {limit, plural, one {# model token} other {# model tokens}} a minute: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.user-concurrency': e(
    429,
    '该用户最多同时进行 {limit} 个请求，请在 {retryAfter} 秒后重试',
    'This user may have {limit, plural, one {# request} other {# requests}} under way at once: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.group-requests': e(
    429,
    '分组 {group} 每分钟最多 {limit} 次请求，请在 {retryAfter} 秒后重试',
    'Group {group} may make {limit, plural, one {# request} other {# requests}} a minute: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.group-tokens': e(
    429,
    '分组 {group} 每分钟最多使用 {limit} 个 Token，请在 {retryAfter} 秒后重试',
    'Group {group} may use {limit, plural, one {# model token} other {# model tokens}} a minute: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.group-concurrency': e(
    429,
    '分组 {group} 最多同时进行 {limit} 个请求，请在 {retryAfter} 秒后重试',
    'Group {group} may have {limit, plural, one {# request} other {# requests}} under way at once: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.channels': e(
    429,
    '模型 {model} 的渠道均已达到速率上限，请在 {retryAfter} 秒后重试',
    'All channels of model {model} are at their limits: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.body-memory': e(
    429,
    '您同时发送的请求内容合计超过 {limit} MB，请在 {retryAfter} 秒后重试',
    'What you are sending at once comes to more than {limit} MB: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.all-bodies': e(
    503,
    '服务器正在接收的大型请求过多，请在 {retryAfter} 秒后重试',
    'The server is receiving too many large requests: try again in {retryAfter, plural, one {# second} other {# seconds}}',
  ),
  'limit.amount': e(
    200,
    '{field} 必须是 0 到 {most} 之间的整数，0 为不限制',
    '{field} must be a whole number from 0 to {most}; 0 means no limit',
  ),
} as const satisfies ErrorTexts
