import { type ErrorTexts, e } from './define.ts'

/** Telling people elsewhere than by mail. */
export const noticeErrors = {
  'notice.https': e(200, '地址必须以 https:// 开头', 'The address must begin with https://'),
  'notice.bark-template': e(
    200,
    'Bark 地址须包含 {{title}} 或 {{content}}',
    'The Bark address must hold {{title}} or {{content}}',
  ),
  'notice.gotify-token': e(200, '请填写 Gotify 令牌', 'Enter the Gotify token'),
  'notice.no-email': e(
    200,
    '请先绑定邮箱，或填写接收邮箱',
    'Link an email address first, or enter one for this',
  ),
  'notice.no-webhook': e(200, '未设置 Webhook 地址', 'There is no webhook address'),
  'notice.refused': e(200, '对方未接受消息：{detail}', 'The message was not taken: {detail}'),
} as const satisfies ErrorTexts
