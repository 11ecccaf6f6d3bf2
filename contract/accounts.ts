import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** One line of text: nothing in it that a screen, a mail header or a database could stumble over. */
export const lineText = (most: number) =>
  z.string().check(z.trim(), z.maxLength(most), z.regex(/^[^\p{Cc}\p{Cs}]*$/u))
const line = (most: number) => z._default(lineText(most), '')
export const nameText = line(100)
const secretText = z._default(z.string().check(z.maxLength(200)), '')
export const captcha = z.optional(z.string().check(z.maxLength(4000)))

const usableGroups = z.record(z.string(), z.object({ ratio: z.number(), desc: z.string() }))

export const accountEndpoints = {
  register: endpoint({
    method: 'POST',
    path: '/api/user/register',
    access: 'public',
    rate: 'critical',
    bodyLimit: 8 * 1024,
    summary: { zh: '注册新用户', en: 'Sign up' },
    query: z.object({ turnstile: captcha }),
    body: z.object({
      username: nameText,
      password: secretText,
      email: line(50),
      verification_code: line(50),
      aff_code: line(50),
    }),
  }),
  sendEmailCode: endpoint({
    method: 'GET',
    path: '/api/verification',
    access: 'public',
    rate: 'critical',
    changes: true,
    summary: {
      zh: '发送邮箱验证码（10 分钟内有效，仅可使用一次）',
      en: 'Mail a verification code (good for 10 minutes, once)',
    },
    query: z.object({ email: line(254), turnstile: captcha }),
  }),
  askForReset: endpoint({
    method: 'GET',
    path: '/api/reset_password',
    access: 'public',
    rate: 'critical',
    changes: true,
    summary: {
      zh: '发送密码重置邮件；无论邮箱是否注册，回答都相同',
      en: 'Mail a password reset link; the answer is the same whether or not the address is registered',
    },
    query: z.object({ email: line(254), turnstile: captcha }),
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/user/reset',
    access: 'public',
    rate: 'critical',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '凭邮件中的令牌重置密码，返回新密码',
      en: 'Reset the password with the token from the mail; answers the new password',
    },
    body: z.object({ email: line(254), token: line(100) }),
    output: z.string(),
  }),
  updateSelf: endpoint({
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    bodyLimit: 8 * 1024,
    summary: {
      zh: '修改自己的用户名、显示名称或密码；空白字段不变，修改密码需要原密码，可同时吊销系统访问令牌',
      en: 'Change your username, display name or password; blanks change nothing, a new password needs the present one and can revoke the system access token',
    },
    body: z.object({
      username: nameText,
      display_name: nameText,
      password: secretText,
      original_password: secretText,
      revoke_access_token: z._default(z.boolean(), false),
    }),
  }),
  deleteSelf: endpoint({
    method: 'DELETE',
    path: '/api/user/self',
    access: 'user',
    summary: { zh: '注销自己的账户', en: 'Delete your account' },
  }),
  inviteCode: endpoint({
    method: 'GET',
    path: '/api/user/aff',
    access: 'user',
    changes: true,
    summary: { zh: '自己的邀请码', en: 'Your invite code' },
    output: z.string(),
  }),
  usableModels: endpoint({
    method: 'GET',
    path: '/api/user/models',
    access: 'user',
    team: 'members',
    summary: {
      zh: '可用的模型名称；kind=chat 时不含接口与搜索服务',
      en: 'Names of the models you may use; with kind=chat without services and searches',
    },
    query: z.object({ kind: z.optional(z.enum(['chat'])) }),
    output: z.array(z.string()),
  }),
  ownGroups: endpoint({
    method: 'GET',
    path: '/api/user/self/groups',
    access: 'user',
    team: 'members',
    summary: { zh: '自己可用的分组及倍率', en: 'The groups you may use, with their ratios' },
    output: usableGroups,
  }),
  publicGroups: endpoint({
    method: 'GET',
    path: '/api/user/groups',
    access: 'public',
    summary: { zh: '所有人可用的分组及倍率', en: 'The groups anyone may use, with their ratios' },
    output: usableGroups,
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/user/sessions',
    access: 'user',
    summary: { zh: '自己的登录会话', en: 'Where you are logged in' },
    output: z.array(
      z.object({
        id: z.string(),
        created_at: z.int(),
        seen_at: z.int(),
        expires_at: z.int(),
        address: z.string(),
        user_agent: z.string(),
        current: z.boolean(),
      }),
    ),
  }),
  revokeSession: endpoint({
    method: 'DELETE',
    path: '/api/user/sessions/:id',
    access: 'user',
    summary: { zh: '结束一个登录会话', en: 'End a session' },
  }),
  bindEmail: endpoint({
    method: 'GET',
    path: '/api/oauth/email/bind',
    access: 'user',
    sessionOnly: true,
    rate: 'critical',
    changes: true,
    summary: { zh: '绑定邮箱', en: 'Bind an e-mail address' },
    query: z.object({ email: line(254), code: line(50) }),
  }),
}
