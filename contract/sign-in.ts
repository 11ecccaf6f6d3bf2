import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { signedIn, userView } from './users.ts'

const KIB = 1024

/** `message` is `bind` when an account was bound to the logged-in user, and nobody was logged in by it. */
const thirdPartyAnswer = z.union([
  z.object({ success: z.literal(true), message: z.literal('bind'), data: z.null() }),
  z.object({ success: z.literal(true), message: z.literal(''), data: signedIn }),
])
export type ThirdPartyAnswer = z.output<typeof thirdPartyAnswer>

const short = z._default(z.string().check(z.trim(), z.maxLength(500)), '')
const aff = z.optional(z.string().check(z.trim(), z.maxLength(32)))
const callbackQuery = z.object({ code: short, state: short })
/** Some providers seal all they have to remember into the code. */
const longCode = z._default(z.string().check(z.trim(), z.maxLength(4000)), '')
const oidcCallbackQuery = z.object({ code: longCode, state: short })
/** Everything the widget sends is signed, so everything is looked at; values longer than these are not its. */
const telegramQuery = z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(2000)))

const thirdParty = { method: 'GET', access: 'public', rate: 'critical', changes: true } as const
const own = { access: 'user', rate: 'critical', bodyLimit: 4 * KIB } as const

const code = z._default(z.string().check(z.trim(), z.maxLength(64)), '')
const codeBody = z.object({ code })

const oauthProviders = ['github', 'discord', 'linuxdo', 'oidc'] as const
export type OauthProvider = (typeof oauthProviders)[number]

export const thirdPartyEndpoints = {
  oauthState: endpoint({
    ...thirdParty,
    path: '/api/oauth/state',
    summary: {
      zh: '开始第三方登录：返回一次性的 state',
      en: 'Begin a third-party sign-in: answers a state that works once, in this browser',
    },
    query: z.object({ aff }),
    output: z.string(),
  }),
  oauthAuthorize: endpoint({
    ...thirdParty,
    path: '/api/oauth/authorize',
    summary: {
      zh: '开始第三方登录：返回要打开的授权页面地址',
      en: 'Begin a third-party sign-in: answers the address of the authorize page to open',
    },
    query: z.object({ provider: z.enum(oauthProviders), aff }),
    output: z.string(),
  }),
  githubSignIn: endpoint({
    ...thirdParty,
    path: '/api/oauth/github',
    shape: 'bare',
    summary: { zh: '使用 GitHub 登录、注册或绑定', en: 'Log in, register or bind with GitHub' },
    query: callbackQuery,
    output: thirdPartyAnswer,
  }),
  discordSignIn: endpoint({
    ...thirdParty,
    path: '/api/oauth/discord',
    shape: 'bare',
    summary: { zh: '使用 Discord 登录、注册或绑定', en: 'Log in, register or bind with Discord' },
    query: callbackQuery,
    output: thirdPartyAnswer,
  }),
  linuxdoSignIn: endpoint({
    ...thirdParty,
    path: '/api/oauth/linuxdo',
    shape: 'bare',
    summary: { zh: '使用 LinuxDO 登录、注册或绑定', en: 'Log in, register or bind with LinuxDO' },
    query: callbackQuery,
    output: thirdPartyAnswer,
  }),
  oidcSignIn: endpoint({
    ...thirdParty,
    path: '/api/oauth/oidc',
    shape: 'bare',
    summary: {
      zh: '使用 OpenID Connect 登录、注册或绑定',
      en: 'Log in, register or bind by single sign-on (OpenID Connect)',
    },
    query: oidcCallbackQuery,
    output: thirdPartyAnswer,
  }),
  wechatSignIn: endpoint({
    ...thirdParty,
    path: '/api/oauth/wechat',
    summary: { zh: '使用微信登录或注册', en: 'Log in or register with WeChat' },
    query: z.object({ code: short }),
    output: signedIn,
  }),
  wechatBind: endpoint({
    ...thirdParty,
    access: 'user',
    path: '/api/oauth/wechat/bind',
    sessionOnly: true,
    summary: { zh: '绑定微信', en: 'Bind a WeChat account' },
    query: z.object({ code: short }),
  }),
  telegramSignIn: endpoint({
    ...thirdParty,
    path: '/api/oauth/telegram/login',
    summary: { zh: '使用 Telegram 登录', en: 'Log in with Telegram' },
    query: telegramQuery,
    output: signedIn,
  }),
  telegramBind: endpoint({
    ...thirdParty,
    access: 'user',
    path: '/api/oauth/telegram/bind',
    sessionOnly: true,
    summary: { zh: '绑定 Telegram', en: 'Bind a Telegram account' },
    query: telegramQuery,
  }),
}

export const twoFactorEndpoints = {
  secondStep: endpoint({
    method: 'POST',
    path: '/api/user/login/2fa',
    access: 'public',
    rate: 'critical',
    bodyLimit: 4 * KIB,
    summary: {
      zh: '登录的第二步：验证器代码或备用码',
      en: 'The second step of a login: an authenticator or backup code',
    },
    body: z.object({ flow_token: short, code }),
    output: userView,
  }),
  twoFactorStatus: endpoint({
    method: 'GET',
    path: '/api/user/2fa/status',
    access: 'user',
    summary: { zh: '两步验证状态', en: 'Whether two-factor login is on' },
    output: z.object({ enabled: z.boolean(), backup_codes_remaining: z.int() }),
  }),
  twoFactorSetup: endpoint({
    ...own,
    method: 'POST',
    path: '/api/user/2fa/setup',
    sessionOnly: true,
    summary: {
      zh: '准备两步验证：密钥与备用码，确认后生效',
      en: 'Prepare two-factor login: the secret and backup codes, in force once confirmed',
    },
    output: z.object({
      secret: z.string(),
      /** An otpauth address, to be shown as a QR code. */
      qr_code_data: z.string(),
      backup_codes: z.array(z.string()),
    }),
  }),
  twoFactorEnable: endpoint({
    ...own,
    method: 'POST',
    path: '/api/user/2fa/enable',
    summary: { zh: '用代码确认并启用两步验证', en: 'Confirm with a code and switch two-factor login on' },
    body: codeBody,
  }),
  twoFactorDisable: endpoint({
    ...own,
    method: 'POST',
    path: '/api/user/2fa/disable',
    summary: { zh: '用代码关闭两步验证', en: 'Switch two-factor login off, with a code' },
    body: codeBody,
  }),
  twoFactorBackupCodes: endpoint({
    ...own,
    method: 'POST',
    path: '/api/user/2fa/backup_codes',
    summary: { zh: '重新生成备用码', en: 'New backup codes in place of the former ones' },
    body: codeBody,
    output: z.object({ backup_codes: z.array(z.string()) }),
  }),
  twoFactorReset: endpoint({
    method: 'DELETE',
    path: '/api/user/:id/2fa',
    access: 'admin',
    summary: {
      zh: '为丢失验证器的用户关闭两步验证',
      en: 'Switch two-factor login off for a user who lost it',
    },
  }),
}

/** What a browser makes of `PublicKeyCredential.toJSON()`; the rest of it is not needed. */
const bytes = z.string().check(z.minLength(1), z.maxLength(16 * KIB), z.regex(/^[\w-]+$/))
const credential = { id: bytes, rawId: bytes, type: z.literal('public-key') }
const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: z.nullish(bytes),
  }),
})
export type PasskeyAssertion = z.output<typeof assertion>
const attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
  }),
})

/** Options as WebAuthn's JSON form has them; the browser is their only reader. */
const ceremony = z.object({ options: z.object({ publicKey: z.record(z.string(), z.unknown()) }) })
const passkeyName = z.string().check(z.trim(), z.minLength(1), z.maxLength(50))

export const passkeyEndpoints = {
  passkeys: endpoint({
    method: 'GET',
    path: '/api/user/passkey',
    access: 'user',
    summary: { zh: '自己的通行密钥', en: 'Your passkeys' },
    output: z.object({
      enabled: z.boolean(),
      last_used_at: z.nullable(z.int()),
      passkeys: z.array(
        z.object({ id: z.int(), name: z.string(), created_at: z.int(), last_used_at: z.int() }),
      ),
    }),
  }),
  passkeyRegisterBegin: endpoint({
    ...own,
    method: 'POST',
    path: '/api/user/passkey/register/begin',
    sessionOnly: true,
    summary: { zh: '开始添加通行密钥', en: 'Begin to add a passkey' },
    output: ceremony,
  }),
  passkeyRegisterFinish: endpoint({
    ...own,
    method: 'POST',
    path: '/api/user/passkey/register/finish',
    bodyLimit: 64 * KIB,
    summary: { zh: '完成添加通行密钥', en: 'Add the passkey' },
    body: z.extend(attestation, { name: z.optional(passkeyName) }),
  }),
  passkeyRename: endpoint({
    method: 'PUT',
    path: '/api/user/passkey/:id',
    access: 'user',
    bodyLimit: 4 * KIB,
    summary: { zh: '重命名通行密钥', en: 'Rename a passkey' },
    body: z.object({ name: passkeyName }),
  }),
  passkeyDelete: endpoint({
    method: 'DELETE',
    path: '/api/user/passkey/:id',
    access: 'user',
    sessionOnly: true,
    summary: { zh: '删除通行密钥', en: 'Delete a passkey' },
  }),
  passkeyLoginBegin: endpoint({
    method: 'POST',
    path: '/api/user/passkey/login/begin',
    access: 'public',
    rate: 'critical',
    summary: { zh: '开始通行密钥登录', en: 'Begin a login by passkey' },
    output: ceremony,
  }),
  passkeyLoginFinish: endpoint({
    method: 'POST',
    path: '/api/user/passkey/login/finish',
    access: 'public',
    rate: 'critical',
    bodyLimit: 64 * KIB,
    summary: { zh: '通行密钥登录', en: 'Log in by passkey' },
    body: assertion,
    output: userView,
  }),
  passkeyVerifyBegin: endpoint({
    ...own,
    method: 'POST',
    path: '/api/user/passkey/verify/begin',
    summary: { zh: '开始通行密钥验证', en: 'Begin a verification by passkey' },
    output: ceremony,
  }),
  passkeyReset: endpoint({
    method: 'DELETE',
    path: '/api/user/:id/reset_passkey',
    access: 'admin',
    summary: { zh: '删除用户的全部通行密钥', en: 'Delete all passkeys of a user' },
  }),
  verify: endpoint({
    ...own,
    method: 'POST',
    path: '/api/verify',
    sessionOnly: true,
    bodyLimit: 64 * KIB,
    summary: {
      zh: '安全验证：再次证明身份，五分钟内有效',
      en: 'Prove again who you are; sensitive calls then work for five minutes',
    },
    body: z.object({
      method: z.enum(['password', '2fa', 'passkey']),
      password: z._default(z.string().check(z.maxLength(200)), ''),
      code,
      assertion: z.optional(assertion),
    }),
    output: z.object({ verified: z.literal(true), expires_at: z.int() }),
  }),
}

export const signInEndpoints = { ...thirdPartyEndpoints, ...twoFactorEndpoints, ...passkeyEndpoints }
