import { accountEndpoints } from './accounts.ts'
import { auditEndpoints } from './audit.ts'
import { channelEndpoints } from './channels.ts'
import { checkInEndpoints } from './check-ins.ts'
import { ledgerEndpoints } from './ledger.ts'
import { logSinkEndpoints } from './log-sinks.ts'
import { logEndpoints } from './logs.ts'
import { mcpEndpoints } from './mcp.ts'
import { noticeEndpoints } from './notices.ts'
import { optionEndpoints } from './options.ts'
import { performanceEndpoints } from './performance.ts'
import { planEndpoints } from './plans.ts'
import { priceSourceEndpoints } from './price-sources.ts'
import { pricingEndpoints } from './pricing.ts'
import { promptEndpoints } from './prompts.ts'
import { rankingEndpoints } from './rankings.ts'
import { recordEndpoints } from './records.ts'
import { redemptionEndpoints } from './redemptions.ts'
import { setupEndpoints } from './setup.ts'
import { signInEndpoints } from './sign-in.ts'
import { spendLimitEndpoints } from './spend-limits.ts'
import { statisticsEndpoints } from './statistics.ts'
import { stripeEndpoints } from './stripe.ts'
import { systemEndpoints } from './system.ts'
import { teamEndpoints } from './teams.ts'
import { tokenUsageEndpoints } from './token-usage.ts'
import { tokenEndpoints } from './tokens.ts'
import { unpricedEndpoints } from './unpriced.ts'
import { uptimeEndpoints } from './uptime.ts'
import { userAdminEndpoints } from './user-admin.ts'
import { userEndpoints } from './users.ts'
import { walletEndpoints } from './wallet.ts'

/** Every call the server answers. What is not here is not served. */
export const endpoints = {
  ...systemEndpoints,
  ...uptimeEndpoints,
  ...setupEndpoints,
  ...userEndpoints,
  ...accountEndpoints,
  ...noticeEndpoints,
  ...spendLimitEndpoints,
  ...signInEndpoints,
  ...optionEndpoints,
  ...channelEndpoints,
  ...mcpEndpoints,
  ...teamEndpoints,
  ...walletEndpoints,
  ...checkInEndpoints,
  ...stripeEndpoints,
  ...planEndpoints,
  ...tokenEndpoints,
  ...promptEndpoints,
  ...redemptionEndpoints,
  ...tokenUsageEndpoints,
  ...ledgerEndpoints,
  ...logEndpoints,
  ...logSinkEndpoints,
  ...statisticsEndpoints,
  ...rankingEndpoints,
  ...performanceEndpoints,
  ...pricingEndpoints,
  ...unpricedEndpoints,
  ...priceSourceEndpoints,
  ...recordEndpoints,
  ...auditEndpoints,
  // Stays last: the first of the table that fits a path answers, and /api/user/:id fits many.
  ...userAdminEndpoints,
}
export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

/** The same by subject, for those who read the description. */
export const endpointGroups = [
  {
    name: { zh: '账户', en: 'Accounts' },
    endpoints: { ...userEndpoints, ...accountEndpoints, ...noticeEndpoints, ...setupEndpoints },
  },
  {
    name: { zh: '第三方登录、两步验证与通行密钥', en: 'Third-party sign-in, two-factor, passkeys' },
    endpoints: signInEndpoints,
  },
  { name: { zh: '用户管理', en: 'Users' }, endpoints: userAdminEndpoints },
  { name: { zh: '消费上限', en: 'Limits of spending' }, endpoints: spendLimitEndpoints },
  { name: { zh: '团队', en: 'Teams' }, endpoints: teamEndpoints },
  { name: { zh: '渠道', en: 'Channels' }, endpoints: channelEndpoints },
  { name: { zh: 'MCP 服务', en: 'MCP servers' }, endpoints: mcpEndpoints },
  { name: { zh: '令牌', en: 'Tokens' }, endpoints: { ...tokenEndpoints, ...tokenUsageEndpoints } },
  { name: { zh: '提示词', en: 'Prompts' }, endpoints: promptEndpoints },
  {
    name: { zh: '钱包', en: 'Wallet' },
    endpoints: { ...walletEndpoints, ...stripeEndpoints, ...checkInEndpoints },
  },
  { name: { zh: '套餐', en: 'Plans' }, endpoints: planEndpoints },
  { name: { zh: '兑换码', en: 'Redemption codes' }, endpoints: redemptionEndpoints },
  { name: { zh: '设置', en: 'Settings' }, endpoints: optionEndpoints },
  { name: { zh: '日志', en: 'Logs' }, endpoints: { ...logEndpoints, ...logSinkEndpoints } },
  {
    name: { zh: '统计', en: 'Statistics' },
    endpoints: { ...statisticsEndpoints, ...rankingEndpoints, ...performanceEndpoints },
  },
  {
    name: { zh: '价格', en: 'Prices' },
    endpoints: { ...pricingEndpoints, ...unpricedEndpoints, ...priceSourceEndpoints },
  },
  { name: { zh: '绘图与任务', en: 'Drawings and tasks' }, endpoints: recordEndpoints },
  { name: { zh: '账目', en: 'Books' }, endpoints: ledgerEndpoints },
  { name: { zh: '操作记录', en: 'Record of changes' }, endpoints: auditEndpoints },
  { name: { zh: '系统', en: 'System' }, endpoints: { ...systemEndpoints, ...uptimeEndpoints } },
]
