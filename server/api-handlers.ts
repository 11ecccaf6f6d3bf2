import type { ApiHandlers } from './http/api.ts'
import { type ProcessState, probeHandlers } from './http/probes.ts'
import { accountHandlers, userAdminHandlers, userHandlers } from './services/accounts/handlers.ts'
import { spendLimitHandlers } from './services/accounts/spend-limits.ts'
import type { App } from './services/app.ts'
import { auditLogHandlers } from './services/audit-log.ts'
import type { BackgroundWork } from './services/background-work.ts'
import { channelHandlers } from './services/channels/handlers.ts'
import { auditHandlers } from './services/ledger-audit.ts'
import { logSinkHandlers } from './services/log-sinks/handlers.ts'
import { logHandlers } from './services/logs/handlers.ts'
import { mcpHandlers } from './services/mcp/handlers.ts'
import { noticeHandlers } from './services/notices/notice-settings.ts'
import { optionHandlers } from './services/options.ts'
import { priceSourceHandlers } from './services/price-sources/handlers.ts'
import { pricingHandlers } from './services/pricing.ts'
import { promptHandlers } from './services/prompts/handlers.ts'
import { recordHandlers } from './services/records.ts'
import { type Setup, setupHandlers } from './services/setup.ts'
import { signInHandlers } from './services/sign-in/handlers.ts'
import { statisticsHandlers } from './services/statistics/handlers.ts'
import { statusHandlers } from './services/status.ts'
import { teamHandlers } from './services/teams/handlers.ts'
import { tokenHandlers } from './services/tokens/handlers.ts'
import { tokenUsageHandlers } from './services/tokens/token-usage.ts'
import { uptimeHandlers } from './services/uptime/handlers.ts'
import { checkInHandlers } from './services/wallet/check-in.ts'
import { walletHandlers } from './services/wallet/handlers.ts'
import { planHandlers } from './services/wallet/plans/handlers.ts'
import { redemptionHandlers } from './services/wallet/redemptions.ts'
import { stripeHandlers } from './services/wallet/stripe/handlers.ts'
import type { ChannelTester } from './store/channel-tester.ts'
import type { McpTester } from './store/mcp-tester.ts'

interface Given {
  readonly state: ProcessState
  readonly setup: Setup
  readonly tester: ChannelTester
  readonly mcpTester: McpTester
  readonly work: BackgroundWork
}

/** Who answers which call of the management API: all that `contract/` names, or the types do not agree. */
export function apiHandlers(app: App, { state, setup, tester, mcpTester, work }: Given): ApiHandlers {
  return {
    ...probeHandlers(state, app.version),
    ...statusHandlers(app, setup),
    ...uptimeHandlers(app),
    ...setupHandlers(setup),
    ...userHandlers(app),
    ...signInHandlers(app),
    ...accountHandlers(app),
    ...userAdminHandlers(app),
    ...noticeHandlers(app),
    ...spendLimitHandlers(app),
    ...optionHandlers(app),
    ...channelHandlers(app, tester, work),
    ...mcpHandlers(app, mcpTester),
    ...teamHandlers(app),
    ...walletHandlers(app),
    ...checkInHandlers(app),
    ...stripeHandlers(app),
    ...planHandlers(app),
    ...tokenHandlers(app),
    ...promptHandlers(app),
    ...redemptionHandlers(app),
    ...tokenUsageHandlers(app),
    ...auditHandlers(app),
    ...logHandlers(app, work),
    ...logSinkHandlers(app),
    ...statisticsHandlers(app),
    ...pricingHandlers(app),
    ...priceSourceHandlers(app),
    ...recordHandlers(app),
    ...auditLogHandlers(app),
  }
}
