import { type ErrorTexts, e } from './define.ts'

/** Logs and statistics. */
export const logErrors = {
  'log.target-required': e(200, 'target timestamp is required', 'target timestamp is required'),
  'log.target-milliseconds': e(
    200,
    'target_timestamp 以秒为单位，而非毫秒',
    'target_timestamp is in seconds, not in milliseconds',
  ),
  'log.bad-key': e(200, '无效的令牌', 'The API key is not valid'),
  'log.no-content': e(200, '没有保留这次调用的内容', 'Nothing was kept of this call'),
  'log.too-many-tails': e(
    429,
    '打开的实时日志过多，请先关闭其他页面',
    'Too many live logs are open: close another one first',
  ),
  'log.s3-first': e(
    200,
    '请先填写 S3 的服务地址、存储桶、Access Key 与 Secret Key',
    'Fill in the endpoint, bucket, access key and secret key of S3 first',
  ),
  'log.webhook-first': e(
    200,
    '请先填写日志 Webhook 的地址',
    'Fill in the address of the webhook for the log first',
  ),
  'log.sink-refused': e(200, '对方未接受日志：{detail}', 'The log was not taken: {detail}'),
  'data.span': e(200, '时间跨度不能超过 1 个月', 'The time span may be at most one month'),
  'statistics.span': e(
    200,
    '时间跨度过大：按小时最多 {days} 天，按天或周最多 {moreDays} 天',
    'The time span is too long: at most {days} days by the hour, {moreDays} by the day or week',
  ),
} as const satisfies ErrorTexts
