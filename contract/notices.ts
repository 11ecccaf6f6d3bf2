import * as z from 'zod/mini'
import { lineText } from './accounts.ts'
import { endpoint } from './endpoint.ts'

/** How a user is told that little is left. */
export const noticeKinds = ['email', 'webhook', 'bark', 'gotify'] as const
export type NoticeKind = (typeof noticeKinds)[number]

const kind = z.enum(noticeKinds)
/** 0 for the operator's. */
const threshold = z.int().check(z.gte(0))
const priority = z.int().check(z.gte(0), z.lte(10))
const address = z._default(lineText(2000), '')
const secret = z._default(lineText(200), '')

export const saveNoticeBody = z.object({
  notify_type: z._default(kind, 'email'),
  quota_warning_threshold: z._default(threshold, 0),
  notification_email: z._default(lineText(254), ''),
  webhook_url: address,
  webhook_secret: secret,
  bark_url: address,
  gotify_url: address,
  gotify_token: secret,
  gotify_priority: z._default(priority, 5),
})

export const noticeEndpoints = {
  noticeSetting: endpoint({
    method: 'GET',
    path: '/api/user/setting',
    access: 'user',
    team: 'owners',
    summary: {
      zh: '自己的额度提醒方式；密钥只返回是否已设置',
      en: 'How you are reminded of low quota; of secrets only whether they are set',
    },
    output: z.object({
      notify_type: kind,
      quota_warning_threshold: threshold,
      notification_email: z.string(),
      webhook_url: z.string(),
      webhook_secret_set: z.boolean(),
      bark_url: z.string(),
      gotify_url: z.string(),
      gotify_token_set: z.boolean(),
      gotify_priority: priority,
    }),
  }),
  saveNoticeSetting: endpoint({
    method: 'PUT',
    path: '/api/user/setting',
    access: 'user',
    team: 'owners',
    bodyLimit: 16 * 1024,
    summary: {
      zh: '修改额度提醒的方式与阈值（0 为系统默认）；只保存所选方式的字段，地址须为公网 https，地址不变时密钥留空则保持不变',
      en: 'Change how and below what (0: the operator’s) you are reminded of low quota; only the fields of the chosen way are kept, addresses are public https, a blank secret stays while its address does',
    },
    body: saveNoticeBody,
  }),
  testNotice: endpoint({
    method: 'POST',
    path: '/api/user/setting/test',
    access: 'user',
    team: 'owners',
    rate: 'critical',
    summary: {
      zh: '按已保存的提醒方式发送一条测试消息',
      en: 'Send a test message the way you are reminded, as saved',
    },
  }),
}
