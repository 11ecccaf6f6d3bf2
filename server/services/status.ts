import type { SettingValues } from '../../contract/settings/index.ts'
import { newestFirst, TOLD_ANNOUNCEMENTS } from '../../contract/settings/panels.ts'
import type { StatusDocument } from '../../contract/system.ts'
import type { App } from './app.ts'
import type { Handlers } from './call.ts'
import type { Setup } from './setup.ts'
import { isStripeOn } from './wallet/stripe/terms.ts'

/** Everything a console needs before anyone has logged in. */
export function statusDocument(
  { settings, version, startedAt }: App,
  setup: Setup,
  hasMcp = false,
): StatusDocument {
  const now = settings.all
  return {
    version,
    start_time: startedAt,
    setup: setup.known,
    email_verification: now.EmailVerificationEnabled,
    register_enabled: now.RegisterEnabled,
    password_login_enabled: now.PasswordLoginEnabled,
    password_register_enabled: now.PasswordRegisterEnabled,
    github_oauth: now.GitHubOAuthEnabled,
    github_client_id: now.GitHubClientId,
    discord_oauth: now.DiscordOAuthEnabled,
    discord_client_id: now.DiscordClientId,
    linuxdo_oauth: now.LinuxDOOAuthEnabled,
    linuxdo_client_id: now.LinuxDOClientId,
    oidc_enabled: now.OIDCEnabled,
    oidc_name: now.OIDCName || 'SSO',
    telegram_oauth: now.TelegramOAuthEnabled,
    telegram_bot_name: now.TelegramBotName,
    telegram_bot_id: /^\d+(?=:)/.exec(now.TelegramBotToken)?.[0] ?? '',
    system_name: now.SystemName,
    logo: now.Logo,
    footer_html: now.Footer,
    user_agreement_enabled: now.UserAgreement.trim() !== '',
    privacy_policy_enabled: now.PrivacyPolicy.trim() !== '',
    wechat_qrcode: now.WeChatAccountQRCodeImageURL,
    wechat_login: now.WeChatAuthEnabled,
    server_address: now.ServerAddress || 'http://localhost:3000',
    price: now.Price,
    min_topup: now.MinTopUp,
    turnstile_check: now.TurnstileCheckEnabled,
    turnstile_site_key: now.TurnstileSiteKey,
    top_up_link: now.TopUpLink,
    chat_link: now.ChatLink,
    chat_link2: now.ChatLink2,
    quota_per_unit: now.QuotaPerUnit,
    display_in_currency: now.DisplayInCurrencyEnabled,
    // The same for newer tools of this family, which know more kinds of money than there are here.
    quota_display_type: now.DisplayInCurrencyEnabled ? 'USD' : 'TOKENS',
    usd_exchange_rate: now.Price,
    // The family's switch for keeping charges in memory for a while. Ours are durable when acknowledged.
    enable_batch_update: false,
    enable_drawing: now.DrawingEnabled,
    enable_task: now.TaskEnabled,
    enable_mcp: hasMcp,
    enable_data_export: now.DataExportEnabled,
    enable_log_content: now.LogContentScope !== 'off',
    rankings_enabled: now.RankingsEnabled,
    data_export_default_time: now.DataExportDefaultTime,
    default_collapse_sidebar: now.DefaultCollapseSidebar,
    default_use_auto_group: now.DefaultUseAutoGroup,
    enable_online_topup: now.PayAddress !== '' && now.EpayId !== '' && now.EpayKey !== '',
    enable_stripe_topup: isStripeOn(now),
    checkin_enabled: now.CheckinEnabled,
    stripe_min_topup: now.StripeMinTopUp,
    mj_notify_enabled: now.MjNotifyEnabled,
    chats: now.Chats,
    api_info_enabled: now.ApiInfoEnabled,
    api_info: now.ApiInfoEnabled ? now.ApiInfo : [],
    announcements_enabled: now.AnnouncementsEnabled,
    announcements: now.AnnouncementsEnabled
      ? newestFirst(now.Announcements).slice(0, TOLD_ANNOUNCEMENTS)
      : [],
    faq_enabled: now.FAQEnabled,
    faq: now.FAQEnabled ? now.FAQ : [],
    uptime_kuma_enabled: now.UptimeKumaEnabled && now.UptimeKumaGroups.length > 0,
  }
}

export function statusHandlers(
  app: App,
  setup: Setup,
): Handlers<'status' | 'notice' | 'about' | 'userAgreement' | 'privacyPolicy' | 'homePageContent'> {
  let current: { settings: SettingValues; setup: boolean; mcp: boolean; document: StatusDocument } | undefined
  const hasMcp = mcpWatch(app.store)
  return {
    async status() {
      const done = setup.known || (await setup.isDone())
      const mcp = await hasMcp()
      const settings = app.settings.all
      if (current?.settings !== settings || current.setup !== done || current.mcp !== mcp)
        current = { settings, setup: done, mcp, document: Object.freeze(statusDocument(app, setup, mcp)) }
      return current.document
    },
    notice: () => app.settings.get('Notice'),
    about: () => app.settings.get('About'),
    userAgreement: () => app.settings.get('UserAgreement'),
    privacyPolicy: () => app.settings.get('PrivacyPolicy'),
    homePageContent: () => app.settings.get('HomePageContent'),
  }
}

/** Whether there is any MCP server to use; asked anew after they change. */
function mcpWatch({ db, bus }: App['store']): () => Promise<boolean> {
  let known: boolean | undefined
  bus.on('mcp-servers', () => {
    known = undefined
  })
  return async () => {
    if (known !== undefined) return known
    try {
      const found = await db
        .selectFrom('mcp_servers')
        .select('id')
        .where('enabled', '=', 1)
        .limit(1)
        .executeTakeFirst()
      known = found !== undefined
      return known
    } catch {
      // The page is to come up also while the database is away.
      return false
    }
  }
}
