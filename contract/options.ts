import * as z from 'zod/mini'
import { lineText } from './accounts.ts'
import { endpoint } from './endpoint.ts'

export const optionEndpoints = {
  listOptions: endpoint({
    method: 'GET',
    path: '/api/option',
    access: 'root',
    shape: 'bare',
    summary: {
      zh: '所有设置项及其版本；密钥类只返回是否已设置',
      en: 'All settings, each with its revision; of secrets only whether they are set',
    },
    output: z.object({
      success: z.literal(true),
      message: z.string(),
      data: z.array(z.object({ key: z.string(), value: z.string(), revision: z.string() })),
      secrets_set: z.array(z.string()),
    }),
  }),
  saveOption: endpoint({
    method: 'PUT',
    path: '/api/option',
    access: 'root',
    bodyLimit: 1024 * 1024,
    summary: {
      zh: '保存一个设置项；给出 revision 时，若该项在此之后已被修改则拒绝（code 为 OPTION_EDITED）。返回保存后的 revision，密钥没有',
      en: 'Save one setting; given its revision, one that was changed since is refused (code OPTION_EDITED). Answers the revision of what was saved; secrets have none',
    },
    body: z.object({
      key: z.string().check(z.minLength(1), z.maxLength(100)),
      value: z.union([z.string(), z.boolean(), z.number()]),
      revision: z.optional(z.string().check(z.maxLength(100))),
    }),
    output: z.object({ revision: z.optional(z.string()) }),
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/api/option/test_mail',
    access: 'root',
    rate: 'critical',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '用已保存的 SMTP 设置发送一封测试邮件；失败时返回邮件服务器的说法',
      en: 'Send a test mail with the SMTP settings as saved; where it fails, tells what the mail server said',
    },
    body: z.object({ to: lineText(254) }),
  }),
  testNews: endpoint({
    method: 'POST',
    path: '/api/option/test_webhook',
    access: 'root',
    rate: 'critical',
    summary: {
      zh: '向已保存的运维 Webhook 发送一条测试消息；失败时返回原因',
      en: 'Send a test message to the webhook for operations as saved; where it fails, tells why',
    },
  }),
  testStatusPage: endpoint({
    method: 'POST',
    path: '/api/option/test_status_page',
    access: 'root',
    rate: 'critical',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '读取一个 Uptime Kuma 状态页，返回其中监控项的数量；失败时返回原因',
      en: 'Read a status page of Uptime Kuma and answer how many monitors are on it; where it fails, tells why',
    },
    body: z.object({ url: lineText(300), slug: lineText(100) }),
    output: z.object({ monitors: z.int() }),
  }),
  builtInPrices: endpoint({
    method: 'GET',
    path: '/api/option/built_in_prices',
    access: 'root',
    summary: {
      zh: '内置的模型价格与倍率，按设置项',
      en: 'The built-in prices and ratios of models, by setting',
    },
    output: z.record(z.string(), z.record(z.string(), z.number())),
  }),
  resetModelRatio: endpoint({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'root',
    shape: 'bare',
    summary: { zh: '将模型倍率恢复为内置值', en: 'Go back to the built-in model ratios' },
    output: z.object({ success: z.literal(true), message: z.string(), data: z.null() }),
  }),
}
