import {
  blankIsDefault,
  decimal,
  flag,
  integer,
  json,
  list,
  ratioMap,
  secret,
  site,
  text,
  url,
  without,
} from './define.ts'

export const systemSettings = {
  ServerAddress: site('system.general', {
    public: true,
    label: { zh: '服务器地址', en: 'Server address' },
    help: {
      zh: '例如 https://example.com，用于邮件链接、回调与聊天链接',
      en: 'For example https://example.com; used in mails, callbacks and chat links',
    },
  }),

  WorkerUrl: url('system.worker', {
    label: { zh: 'Worker 地址', en: 'Worker address' },
    help: {
      zh: '图片与文件经由它下载，填写后才生效，仅支持 https',
      en: 'Images and files are fetched through it when filled in; https only',
    },
    schemes: ['https:'],
  }),
  WorkerValidKey: secret('system.worker', { label: { zh: 'Worker 密钥', en: 'Worker key' } }),

  AllowPrivateUpstreams: flag('system.network', true, {
    label: { zh: '允许渠道使用内网地址', en: 'Channels may use private addresses' },
    help: {
      zh: '云元数据地址在任何情况下都不可访问',
      en: 'Cloud metadata addresses are never reachable, whatever this says',
    },
  }),
  GlobalApiRateLimit: integer('system.network', 360, {
    max: 10_000_000,
    label: { zh: '接口限流：每个 IP 三分钟内的请求数', en: 'Console requests per IP in three minutes' },
    help: { zh: '0 为不限制', en: '0 means no limit' },
  }),
  GlobalWebRateLimit: integer('system.network', 600, {
    max: 10_000_000,
    label: { zh: '页面限流：每个 IP 三分钟内打开的页面数', en: 'Pages per IP in three minutes' },
    help: { zh: '0 为不限制', en: '0 means no limit' },
  }),
  SearchRateLimit: integer('system.network', 60, {
    max: 10_000_000,
    label: { zh: '搜索限流：每个 IP 一分钟内的搜索数', en: 'Searches per IP in one minute' },
    help: {
      zh: '0 为不另设限制；关闭接口限流时不生效',
      en: '0 means no separate limit; has no effect while console requests are unlimited',
    },
  }),
  CriticalRateLimit: integer('system.network', 20, {
    max: 10_000_000,
    label: {
      zh: '敏感操作限流：每个 IP 二十分钟内的请求数',
      en: 'Sensitive requests per IP in twenty minutes',
    },
    help: {
      zh: '登录、注册、验证码与重置密码；0 为不限制',
      en: 'Login, registration, codes and password reset; 0 means no limit',
    },
  }),

  PayAddress: without(
    site('system.payment', {
      label: { zh: '支付地址', en: 'Payment address' },
      help: { zh: '易支付网关地址', en: 'Address of the epay gateway' },
    }),
    /\/(submit|mapi|api)\.php$/i,
  ),
  EpayId: text('system.payment', '', { label: { zh: '易支付商户 ID', en: 'Epay merchant ID' } }),
  EpayKey: secret('system.payment', { label: { zh: '易支付商户密钥', en: 'Epay merchant key' } }),
  CustomCallbackAddress: without(
    site('system.payment', {
      label: { zh: '回调地址', en: 'Callback address' },
      help: { zh: '不填写则使用服务器地址', en: 'Defaults to the server address' },
    }),
    /\/api\/user\/epay\/notify$/,
  ),
  Price: decimal('system.payment', 7.3, {
    public: true,
    label: { zh: '充值价格（元/美元）', en: 'Top-up price (CNY per USD)' },
  }),
  MinTopUp: integer('system.payment', 1, {
    public: true,
    min: 1,
    max: 1_000_000,
    label: { zh: '最低充值数量（美元）', en: 'Minimum top-up (USD)' },
  }),
  TopupGroupRatio: json<Record<string, number>>(
    'system.payment',
    { default: 1, vip: 1, svip: 1 },
    {
      schema: ratioMap,
      label: { zh: '充值分组倍率', en: 'Top-up group ratios' },
      help: { zh: '键为分组名称，值为倍率', en: 'Group name to ratio' },
    },
  ),

  StripeApiSecret: secret('system.stripe', {
    label: { zh: 'API 密钥', en: 'API key' },
    help: {
      zh: 'sk_ 或 rk_ 开头；密钥、签名密钥、币种与价格齐全后，钱包才出现银行卡支付',
      en: 'Starts with sk_ or rk_. The wallet offers card payment once both secrets, the currency and the price are set',
    },
  }),
  StripeWebhookSecret: secret('system.stripe', {
    label: { zh: 'Webhook 签名密钥', en: 'Webhook signing secret' },
    help: {
      zh: 'whsec_ 开头；Webhook 地址为 服务器地址/api/stripe/webhook，事件为 checkout.session.*',
      en: 'Starts with whsec_. Webhook address: <server address>/api/stripe/webhook; events: checkout.session.*',
    },
  }),
  StripeCurrency: text('system.stripe', '', {
    label: { zh: '币种', en: 'Currency' },
    help: { zh: '三个字母，例如 usd、eur、jpy', en: 'Three letters, such as usd, eur, jpy' },
    pattern: /^[a-z]{3}$/i,
    hint: { zh: '必须是三个字母', en: 'must be three letters' },
  }),
  StripeUnitPrice: decimal('system.stripe', 0, {
    label: { zh: '充值价格（该币种/美元）', en: 'Top-up price (that currency per USD)' },
    help: { zh: '同样乘以充值分组倍率', en: 'Also multiplied by the top-up group ratio' },
  }),
  StripeMinTopUp: integer('system.stripe', 1, {
    public: true,
    min: 1,
    max: 1_000_000,
    label: { zh: '最低充值数量（美元）', en: 'Minimum top-up (USD)' },
  }),
  StripeAddress: site('system.stripe', {
    initial: 'https://api.stripe.com',
    label: { zh: 'Stripe API 地址', en: 'Stripe API address' },
    help: { zh: '经由代理访问时填写', en: 'Change it only if you reach it through a proxy' },
  }),

  PasswordLoginEnabled: flag('system.login', true, {
    public: true,
    label: { zh: '允许通过密码进行登录', en: 'Password login' },
  }),
  PasswordRegisterEnabled: flag('system.login', true, {
    public: true,
    label: { zh: '允许通过密码进行注册', en: 'Password registration' },
  }),
  EmailVerificationEnabled: flag('system.login', false, {
    public: true,
    label: { zh: '通过密码注册时需要进行邮箱验证', en: 'Password registration requires a verified email' },
  }),
  GitHubOAuthEnabled: flag('system.login', false, {
    public: true,
    label: { zh: '允许通过 GitHub 账户登录与注册', en: 'GitHub login and registration' },
  }),
  DiscordOAuthEnabled: flag('system.login', false, {
    public: true,
    label: { zh: '允许通过 Discord 账户登录与注册', en: 'Discord login and registration' },
  }),
  LinuxDOOAuthEnabled: flag('system.login', false, {
    public: true,
    label: { zh: '允许通过 LinuxDO 账户登录与注册', en: 'LinuxDO login and registration' },
  }),
  OIDCEnabled: flag('system.login', false, {
    public: true,
    label: { zh: '允许通过单点登录（OIDC）登录与注册', en: 'Single sign-on (OIDC) login and registration' },
  }),
  WeChatAuthEnabled: flag('system.login', false, {
    public: true,
    label: { zh: '允许通过微信登录与注册', en: 'WeChat login and registration' },
  }),
  TelegramOAuthEnabled: flag('system.login', false, {
    public: true,
    label: { zh: '允许通过 Telegram 进行登录', en: 'Telegram login' },
  }),
  TurnstileCheckEnabled: flag('system.login', false, {
    public: true,
    label: { zh: '启用 Turnstile 用户校验', en: 'Captcha (Turnstile)' },
  }),
  RegisterEnabled: flag('system.login', true, {
    public: true,
    label: { zh: '允许新用户注册', en: 'Allow new registrations' },
    help: {
      zh: '关闭后新用户无法以任何方式注册',
      en: 'When off, nobody can register in any way',
    },
  }),

  TeamCreationEnabled: flag('system.login', false, {
    label: { zh: '允许用户创建团队', en: 'Users may create teams' },
    help: { zh: '管理员始终可以创建', en: 'Administrators always can' },
  }),
  MostTeamsOwned: integer('system.login', 3, {
    min: 1,
    max: 1000,
    label: { zh: '每个用户最多拥有的团队数', en: 'Teams a user may own' },
  }),

  EmailDomainRestrictionEnabled: flag('system.email-domains', false, {
    label: { zh: '启用邮箱域名白名单', en: 'Allow only these email domains' },
  }),
  EmailAliasRestrictionEnabled: flag('system.email-domains', false, {
    label: { zh: '启用邮箱别名限制', en: 'Reject email aliases' },
    help: { zh: '拒绝用户名部分含有 + 或 . 的邮箱', en: 'Refuses addresses with + or . before the @' },
  }),
  EmailDomainWhitelist: list(
    'system.email-domains',
    [
      'gmail.com',
      '163.com',
      '126.com',
      'qq.com',
      'outlook.com',
      'hotmail.com',
      'icloud.com',
      'yahoo.com',
      'foxmail.com',
    ],
    {
      item: /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/i,
      hint: { zh: '必须是以逗号分隔的域名', en: 'must be domains separated by commas' },
      label: { zh: '允许的邮箱域名', en: 'Allowed domains' },
    },
  ),

  SMTPServer: text('system.smtp', '', {
    label: { zh: 'SMTP 服务器地址', en: 'SMTP server' },
    pattern: /^([a-z0-9._-]+|[0-9a-f.]*:[0-9a-f.]*:[0-9a-f.:]*)$/i,
    hint: { zh: '必须是主机名', en: 'must be a host name' },
  }),
  SMTPPort: integer('system.smtp', 587, {
    min: 1,
    max: 65_535,
    label: { zh: 'SMTP 端口', en: 'SMTP port' },
    help: { zh: '默认 587；465 强制使用 SSL', en: '587 by default; 465 always uses SSL' },
  }),
  SMTPAccount: text('system.smtp', '', { label: { zh: 'SMTP 账户', en: 'SMTP account' } }),
  SMTPFrom: without(
    text('system.smtp', '', {
      label: { zh: 'SMTP 发送者邮箱', en: 'Sender address' },
      help: { zh: '通常与账户一致', en: 'Usually the same as the account' },
    }),
    /^[^<>]*<|>$/g,
  ),
  SMTPToken: secret('system.smtp', { label: { zh: 'SMTP 访问凭证', en: 'SMTP password' } }),
  SMTPSSLEnabled: flag('system.smtp', false, { label: { zh: '启用 SMTP SSL', en: 'Use SSL' } }),

  GitHubAddress: site('system.github', {
    initial: 'https://github.com',
    label: { zh: 'GitHub 地址', en: 'GitHub address' },
    help: {
      zh: '使用 GitHub Enterprise Server 时填写其地址',
      en: 'The address of your GitHub Enterprise Server, if you use one',
    },
  }),
  GitHubClientId: text('system.github', '', {
    public: true,
    label: { zh: 'GitHub Client ID', en: 'GitHub client ID' },
  }),
  GitHubClientSecret: secret('system.github', {
    label: { zh: 'GitHub Client Secret', en: 'GitHub client secret' },
  }),

  WeChatServerAddress: site('system.wechat', {
    label: { zh: 'WeChat Server 服务器地址', en: 'WeChat server address' },
  }),
  WeChatServerToken: secret('system.wechat', {
    label: { zh: 'WeChat Server 访问凭证', en: 'WeChat server token' },
  }),
  WeChatAccountQRCodeImageURL: url('system.wechat', {
    public: true,
    label: { zh: '微信公众号二维码图片链接', en: 'QR code image of the WeChat account' },
  }),

  TelegramBotToken: secret('system.telegram', {
    label: { zh: 'Telegram Bot Token', en: 'Telegram bot token' },
    help: {
      zh: '需在 BotFather 中用 /setdomain 将本站域名关联到该 Bot',
      en: 'Link this site’s domain to the bot with /setdomain in BotFather',
    },
  }),
  TelegramBotName: without(
    text('system.telegram', '', {
      public: true,
      label: { zh: 'Telegram Bot 名称', en: 'Telegram bot name' },
    }),
    /^(https:\/\/t\.me\/|@)/,
  ),

  TurnstileSiteKey: text('system.captcha', '', {
    public: true,
    label: { zh: 'Turnstile Site Key', en: 'Turnstile site key' },
  }),
  TurnstileSecretKey: secret('system.captcha', {
    label: { zh: 'Turnstile Secret Key', en: 'Turnstile secret key' },
  }),
  // Without one nobody would pass, and nobody could log in to give it back.
  TurnstileVerifyUrl: blankIsDefault(
    url('system.captcha', {
      initial: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
      label: { zh: 'Turnstile 校验地址', en: 'Turnstile verification address' },
      help: {
        zh: '仅在需要经由其他地址校验时修改',
        en: 'Change it only if tokens are verified elsewhere',
      },
    }),
  ),

  LinuxDOAddress: site('system.linuxdo', {
    initial: 'https://connect.linux.do',
    label: { zh: 'LinuxDO Connect 地址', en: 'LinuxDO Connect address' },
  }),
  LinuxDOClientId: text('system.linuxdo', '', {
    public: true,
    label: { zh: 'LinuxDO Client ID', en: 'LinuxDO client ID' },
  }),
  LinuxDOClientSecret: secret('system.linuxdo', {
    label: { zh: 'LinuxDO Client Secret', en: 'LinuxDO client secret' },
  }),

  DiscordAddress: site('system.discord', {
    initial: 'https://discord.com',
    label: { zh: 'Discord 地址', en: 'Discord address' },
    help: { zh: '经由代理访问时填写', en: 'Change it only if you reach it through a proxy' },
  }),
  DiscordClientId: text('system.discord', '', {
    public: true,
    label: { zh: 'Discord Client ID', en: 'Discord client ID' },
    help: {
      zh: '在 Discord 应用的 OAuth2 页面登记回调地址“服务器地址/oauth/discord”',
      en: 'On your application’s OAuth2 page, register the redirect <server address>/oauth/discord',
    },
  }),
  DiscordClientSecret: secret('system.discord', {
    label: { zh: 'Discord Client Secret', en: 'Discord client secret' },
  }),

  OIDCIssuer: without(
    url('system.oidc', {
      label: { zh: '签发者地址（Issuer）', en: 'Issuer' },
      help: {
        zh: '例如 https://sso.example.com/realms/main；其下须有 /.well-known/openid-configuration。回调地址为“服务器地址/oauth/oidc”',
        en: 'Such as https://sso.example.com/realms/main; /.well-known/openid-configuration must exist below it. Register the redirect <server address>/oauth/oidc',
      },
    }),
    /\/+\.well-known\/openid-configuration$/,
  ),
  OIDCClientId: text('system.oidc', '', { label: { zh: 'OIDC Client ID', en: 'OIDC client ID' } }),
  OIDCClientSecret: secret('system.oidc', {
    label: { zh: 'OIDC Client Secret', en: 'OIDC client secret' },
    help: { zh: '公开客户端可留空', en: 'Leave blank for a public client' },
  }),
  OIDCName: text('system.oidc', 'SSO', {
    public: true,
    max: 30,
    label: { zh: '登录按钮上的名称', en: 'Name on the button' },
  }),
}
