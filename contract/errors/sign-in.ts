import { type ErrorTexts, e } from './define.ts'

/** Third-party accounts, two-factor login, passkeys, and proving again who one is. */
export const signInErrors = {
  'oauth.state': e(403, 'state is empty or not same', 'state is empty or not same'),
  'oauth.no-code': e(200, '无效的参数', 'The code is missing'),
  'oauth.github-off': e(
    200,
    '管理员未开启通过 GitHub 登录以及注册',
    'The administrator has not switched GitHub login on',
  ),
  'oauth.discord-off': e(
    200,
    '管理员未开启通过 Discord 登录以及注册',
    'The administrator has not switched Discord login on',
  ),
  'oauth.linuxdo-off': e(
    200,
    '管理员未开启通过 Linux DO 登录以及注册',
    'The administrator has not switched LinuxDO login on',
  ),
  'oauth.oidc-off': e(
    200,
    '管理员未开启单点登录（OIDC）',
    'The administrator has not switched single sign-on (OIDC) on',
  ),
  'oauth.wechat-off': e(
    200,
    '管理员未开启通过微信登录以及注册',
    'The administrator has not switched WeChat login on',
  ),
  'oauth.telegram-off': e(
    200,
    '管理员未开启通过 Telegram 登录以及注册',
    'The administrator has not switched Telegram login on',
  ),
  'oauth.github-taken': e(200, '该 GitHub 账户已被绑定', 'This GitHub account is bound already'),
  'oauth.discord-taken': e(200, '该 Discord 账户已被绑定', 'This Discord account is bound already'),
  'oauth.linuxdo-taken': e(200, '该 Linux DO 账户已被绑定', 'This LinuxDO account is bound already'),
  'oauth.oidc-taken': e(200, '该单点登录账户已被绑定', 'This single sign-on account is bound already'),
  'oauth.wechat-taken': e(200, '该微信账号已被绑定', 'This WeChat account is bound already'),
  'oauth.telegram-taken': e(200, '该 Telegram 账户已被绑定', 'This Telegram account is bound already'),
  'oauth.unreachable': e(
    200,
    '无法连接至 {provider} 服务器，请稍后重试！',
    'The server of {provider} cannot be reached, try again later',
  ),
  'oauth.refused': e(
    200,
    '{provider} 未确认此次登录，请重新登录',
    '{provider} did not confirm this sign-in: try again',
  ),
  'oauth.bind-first': e(
    200,
    '管理员账户迁入后须先用密码登录，再在个人设置中重新绑定 {provider}',
    'Administrators who moved in log in with their password first, and bind {provider} again in their personal settings',
  ),
  'wechat.bad-code': e(200, '验证码错误或已过期', 'The code is wrong or has expired'),
  'telegram.invalid': e(
    200,
    '无效的请求',
    'What Telegram vouches for is not valid, too old or was used already: sign in again',
  ),
  'telegram.unbound': e(200, '该 Telegram 账户未绑定', 'This Telegram account is not bound to a user'),
  'sign-in.deleted': e(200, '用户已注销', 'This account was deleted'),

  'second-step.expired': e(
    200,
    '登录已过期或尝试次数过多，请重新登录',
    'This login has expired or was tried too often: log in again',
  ),
  'two-factor.bad-code': e(
    200,
    '验证码或备用码错误，请重试',
    'The authenticator or backup code is wrong, try again',
  ),
  'two-factor.used-code': e(
    200,
    '该验证码已使用过，请等待身份验证器显示下一个验证码',
    'This code has been used: wait for the next one in your authenticator app',
  ),
  'two-factor.on': e(
    200,
    '用户已启用两步验证，请先禁用后重新设置',
    'Two-factor login is on: switch it off first',
  ),
  'two-factor.off': e(200, '用户未启用两步验证', 'Two-factor login is not on'),
  'two-factor.not-prepared': e(
    200,
    '请先完成两步验证初始化设置',
    'Two-factor login has not been prepared yet',
  ),

  'passkey.address': e(
    200,
    '使用通行密钥前，请管理员先填写服务器地址（https 或 localhost）',
    'Passkeys need the server address (https or localhost) to be set by the administrator',
  ),
  'passkey.failed': e(200, '通行密钥验证失败，请重试', 'The passkey could not be verified, try again'),
  'passkey.known': e(200, '该通行密钥已被注册', 'This passkey is registered already'),
  'passkey.too-many': e(200, '通行密钥最多 {most} 个', 'There can be at most {most} passkeys'),

  'verify.required': e(403, '需要安全验证', 'Prove again who you are first'),
  'verify.used-code': e(
    403,
    '该验证码已使用过，请等待身份验证器显示下一个验证码',
    'This code has been used: wait for the next one in your authenticator app',
  ),
  'verify.failed': e(
    403,
    '安全验证失败',
    'The verification failed: check the password, code or passkey and try again',
  ),
  'verify.stronger': e(
    403,
    '请使用两步验证或通行密钥进行安全验证',
    'Use your authenticator app or a passkey for this',
  ),
} as const satisfies ErrorTexts
