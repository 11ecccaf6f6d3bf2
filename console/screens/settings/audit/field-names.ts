import type { Language, Text } from '../../../../contract/language.ts'

/** What people call the fields that records name as the store does. */
const fieldTexts: Readonly<Record<string, Text>> = {
  auto_ban: { zh: '自动禁用', en: 'Disable automatically' },
  base_url: { zh: '渠道地址', en: 'Base URL' },
  before: { zh: '早于', en: 'Older than' },
  channels: { zh: '渠道', en: 'Channels' },
  cleared: { zh: '已清理条数', en: 'Rows cleared' },
  clearing: { zh: '待清理条数', en: 'Rows to clear' },
  concurrency: { zh: '并发数', en: 'Concurrency' },
  count: { zh: '数量', en: 'Count' },
  display_name: { zh: '显示名称', en: 'Display name' },
  email: { zh: '邮箱', en: 'Email' },
  discord_id: { zh: 'Discord', en: 'Discord' },
  github_id: { zh: 'GitHub', en: 'GitHub' },
  group: { zh: '分组', en: 'Group' },
  id: { zh: 'ID', en: 'ID' },
  ids: { zh: 'ID', en: 'IDs' },
  key_hash: { zh: '密钥', en: 'Key' },
  key_sealed: { zh: '密钥', en: 'Key' },
  linux_do_id: { zh: 'LinuxDO', en: 'LinuxDO' },
  model_mapping: { zh: '模型重定向', en: 'Model redirect' },
  models: { zh: '模型', en: 'Models' },
  name: { zh: '名称', en: 'Name' },
  oidc_id: { zh: 'SSO', en: 'SSO' },
  openai_organization: { zh: '组织', en: 'Organization' },
  other: { zh: '其他参数', en: 'Other parameter' },
  password: { zh: '密码', en: 'Password' },
  password_hash: { zh: '密码', en: 'Password' },
  priority: { zh: '优先级', en: 'Priority' },
  quota: { zh: '额度', en: 'Quota' },
  role: { zh: '角色', en: 'Role' },
  rpm: { zh: '每分钟请求数', en: 'Requests / min' },
  setting: { zh: '额外设置', en: 'Extra settings' },
  settings: { zh: '设置', en: 'Settings' },
  status: { zh: '状态', en: 'Status' },
  status_code_mapping: { zh: '状态码映射', en: 'Status code mapping' },
  tag: { zh: '标签', en: 'Tag' },
  telegram_id: { zh: 'Telegram', en: 'Telegram' },
  test_model: { zh: '默认测试模型', en: 'Default test model' },
  tokens: { zh: '令牌', en: 'Tokens' },
  tpm: { zh: '每分钟 Token 数', en: 'Tokens / min' },
  type: { zh: '类型', en: 'Type' },
  username: { zh: '用户名', en: 'Username' },
  users: { zh: '用户', en: 'Users' },
  wechat_id: { zh: '微信', en: 'WeChat' },
  weight: { zh: '权重', en: 'Weight' },
}

/** A name that is not known, as of a model or a group, stays as it is. */
export function nameField(field: string, language: Language): string {
  return Object.hasOwn(fieldTexts, field) ? (fieldTexts[field]?.[language] ?? field) : field
}
