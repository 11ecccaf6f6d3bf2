import type { Text } from '../language.ts'

/** The three settings tabs of the super administrator. */
export const sectionTabs = {
  operation: { zh: '运营设置', en: 'Operation' },
  system: { zh: '系统设置', en: 'System' },
  other: { zh: '其他设置', en: 'Other' },
} as const satisfies Record<string, Text>

export type SectionTab = keyof typeof sectionTabs

/** Their sections, in the order they are shown; each begins with its tab. */
export const sections = {
  'operation.general': { zh: '通用设置', en: 'General' },
  'operation.routing': { zh: '路由与超时', en: 'Routing and timeouts' },
  'operation.cache': { zh: '回答缓存', en: 'Answer cache' },
  'operation.drawing': { zh: '绘图设置', en: 'Drawing' },
  'operation.sensitive': { zh: '屏蔽词过滤设置', en: 'Sensitive words' },
  'operation.guards': { zh: '护栏', en: 'Guards' },
  'operation.log': { zh: '日志设置', en: 'Logs' },
  'operation.sinks': { zh: '日志投递', en: 'Log delivery' },
  'operation.dashboard': { zh: '数据看板设置', en: 'Dashboard' },
  'operation.monitoring': { zh: '监控设置', en: 'Monitoring' },
  'operation.quota': { zh: '额度设置', en: 'Quota' },
  'operation.chat': { zh: '聊天设置', en: 'Chat presets' },
  'operation.groups': { zh: '分组设置', en: 'Groups' },
  'operation.ratios': { zh: '模型倍率设置', en: 'Model ratios' },
  'system.general': { zh: '通用设置', en: 'General' },
  'system.worker': { zh: '代理设置', en: 'Worker proxy' },
  'system.network': { zh: '网络与限流', en: 'Network and rate limits' },
  'system.payment': { zh: '支付设置', en: 'Payment' },
  'system.stripe': { zh: '银行卡支付（Stripe）', en: 'Card payments (Stripe)' },
  'system.login': { zh: '登录与注册', en: 'Login and registration' },
  'system.email-domains': { zh: '邮箱域名白名单', en: 'Email domain allowlist' },
  'system.smtp': { zh: 'SMTP 邮件', en: 'SMTP' },
  'system.github': { zh: 'GitHub 登录', en: 'GitHub login' },
  'system.wechat': { zh: '微信登录', en: 'WeChat login' },
  'system.telegram': { zh: 'Telegram 登录', en: 'Telegram login' },
  'system.captcha': { zh: 'Turnstile 验证', en: 'Turnstile captcha' },
  'system.linuxdo': { zh: 'LinuxDO 登录', en: 'LinuxDO login' },
  'system.discord': { zh: 'Discord 登录', en: 'Discord login' },
  'system.oidc': { zh: '单点登录（OIDC）', en: 'Single sign-on (OIDC)' },
  'other.notice': { zh: '公告', en: 'Announcement' },
  'other.addresses': { zh: 'API 地址', en: 'API addresses' },
  'other.announcements': { zh: '看板公告', en: 'Dashboard announcements' },
  'other.questions': { zh: '常见问题', en: 'Questions and answers' },
  'other.uptime': { zh: '服务状态（Uptime Kuma）', en: 'Service status (Uptime Kuma)' },
  'other.personal': { zh: '个性化设置', en: 'Appearance' },
  'other.legacy': { zh: '兼容项', en: 'Compatibility' },
} as const satisfies Record<string, Text>

export type SectionId = keyof typeof sections
