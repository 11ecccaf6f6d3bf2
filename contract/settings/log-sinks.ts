import { choice, flag, integer, secret, secretUrl, site, text } from './define.ts'

const rows = [
  { value: 'calls', label: { zh: '模型调用：消费与错误', en: 'Model calls: consumption and errors' } },
  { value: 'all', label: { zh: '全部日志', en: 'All rows' } },
] as const

const section = 'operation.sinks'

/** Where the log is delivered to besides being kept. */
export const logSinkSettings = {
  LogSinkRows: choice(section, 'calls', rows, {
    label: { zh: '投递的日志', en: 'What is delivered' },
  }),
  LogS3Enabled: flag(section, false, {
    label: { zh: '投递到 S3 兼容存储', en: 'To an S3-compatible bucket' },
    help: {
      zh: '写入 gzip 压缩的 JSON 行；从最早的日志开始，停用后再启用会接着投递',
      en: 'As gzipped lines of JSON, from the oldest row on; switched off and on again, it goes on where it stopped',
    },
  }),
  LogS3Endpoint: site(section, {
    label: { zh: 'S3 服务地址', en: 'S3 endpoint' },
    help: { zh: '例如 https://s3.us-east-1.amazonaws.com', en: 'Such as https://s3.us-east-1.amazonaws.com' },
  }),
  LogS3Region: text(section, 'us-east-1', {
    max: 60,
    pattern: /^[a-z0-9-]+$/,
    hint: { zh: '只能含小写字母、数字与 -', en: 'may hold a–z, 0–9 and -' },
    label: { zh: 'S3 区域', en: 'S3 region' },
    help: { zh: 'Cloudflare R2 为 auto', en: 'For Cloudflare R2: auto' },
  }),
  LogS3Bucket: text(section, '', {
    max: 63,
    pattern: /^[a-z0-9][a-z0-9.-]*[a-z0-9]$/,
    hint: {
      zh: '只能含小写字母、数字、. 与 -',
      en: 'may hold a–z, 0–9, . and -',
    },
    label: { zh: 'S3 存储桶', en: 'S3 bucket' },
  }),
  LogS3PathStyle: flag(section, false, {
    label: { zh: '存储桶写在路径中', en: 'Bucket in the path' },
    help: {
      zh: 'MinIO 通常需要；否则写在域名中',
      en: 'MinIO usually needs it; otherwise it stands in the host name',
    },
  }),
  LogS3Prefix: text(section, 'tollgate', {
    max: 200,
    // Neither an empty part nor one of dots, which the address would lose.
    pattern: /^(?!.*(^|\/)\.{0,2}(\/|$))[\w.=/-]+$/,
    hint: {
      zh: '只能含字母、数字与 . _ - =，以 / 分隔',
      en: 'may hold letters, digits and . _ - = in parts between single slashes',
    },
    label: { zh: 'S3 路径前缀', en: 'S3 prefix' },
  }),
  LogS3AccessKeyId: text(section, '', {
    max: 200,
    pattern: /^[\x21-\x7e]+$/,
    label: { zh: 'S3 Access Key ID', en: 'S3 access key ID' },
  }),
  LogS3SecretKey: secret(section, {
    label: { zh: 'S3 Secret Key', en: 'S3 secret key' },
  }),
  LogS3Seconds: integer(section, 60, {
    min: 1,
    max: 3600,
    label: { zh: '写入间隔（秒）', en: 'Seconds between objects' },
    help: { zh: '攒够一批时会提前写入', en: 'A full one is written earlier' },
  }),
  LogWebhookEnabled: flag(section, false, {
    label: { zh: '投递到 Webhook', en: 'To a webhook' },
  }),
  LogWebhookUrl: secretUrl(section, {
    label: { zh: '日志 Webhook 地址', en: 'Webhook for the log' },
  }),
  LogWebhookSecret: secret(section, {
    label: { zh: '日志 Webhook 签名密钥', en: 'Secret that signs it' },
    help: {
      zh: 'X-Webhook-Signature 为请求体的 HMAC-SHA256',
      en: 'X-Webhook-Signature is the HMAC-SHA256 of the body',
    },
  }),
}
