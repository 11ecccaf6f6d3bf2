import { type ErrorTexts, e } from './define.ts'

/** Registration, e-mail, captcha, and one's own account. */
export const accountErrors = {
  'account.invalid': e(200, '无效的参数', 'This is missing or not valid: {field}'),
  'user.username-apart': e(
    200,
    '用户名中的字符须为 Unicode 规范组合形式（NFC），否则会与他人的看起来相同',
    'The username must be in Unicode’s composed form (NFC): otherwise it would look like another’s',
  ),
  'turnstile.blank': e(200, 'Turnstile token 为空', 'The Turnstile token is blank'),
  'turnstile.failed': e(
    200,
    'Turnstile 校验失败，请刷新重试！',
    'The Turnstile check failed: reload the page and try again',
  ),
  'register.disabled': e(200, '管理员关闭了新用户注册', 'The administrator has closed registration'),
  'register.password-disabled': e(
    200,
    '管理员关闭了通过密码进行注册，请使用第三方账户验证的形式进行注册',
    'The administrator has switched off registration with a password: use a third-party account',
  ),
  'register.email-needed': e(
    200,
    '管理员开启了邮箱验证，请输入邮箱地址和验证码',
    'Registration needs an email address and the code that is sent to it',
  ),
  'register.bad-code': e(200, '验证码错误或已过期', 'The verification code is wrong or has expired'),
  'user.name-taken': e(
    200,
    '用户名已存在，或已注销',
    'This username is taken, or belonged to an account that was deleted',
  ),
  'user.display-name-length': e(
    200,
    '显示名称最多 {most} 个字符',
    'The display name must be at most {most} characters long',
  ),
  'email.invalid': e(200, '无效的邮箱地址', 'The email address is not valid'),
  'email.domain': e(
    200,
    '管理员启用了邮箱域名白名单，您的邮箱地址的域名不在白名单中',
    'The administrator allows email addresses of certain domains only, and this is not one of them',
  ),
  'email.alias': e(
    200,
    '管理员启用了邮箱别名限制，您的邮箱地址因包含 + 或 . 而被拒绝',
    'The administrator allows no email aliases: the part before the @ must not have + or .',
  ),
  'email.taken': e(200, '邮箱地址已被占用', 'This email address is already in use'),
  'mail.not-configured': e(200, 'SMTP 服务器未配置', 'The SMTP server is not configured'),
  'mail.failed': e(200, '邮件发送失败，请稍后重试', 'The mail could not be sent, try again later'),
  'mail.login': e(
    200,
    'SMTP 服务器拒绝了账户或凭证：{detail}',
    'The SMTP server refuses the account or its password: {detail}',
  ),
  'mail.refused': e(200, 'SMTP 服务器拒绝了邮件：{detail}', 'The SMTP server refuses the mail: {detail}'),
  'mail.unreachable': e(
    200,
    '无法与 SMTP 服务器建立连接，请检查地址、端口与 SSL：{detail}',
    'No connection to the SMTP server; check its address, port and SSL: {detail}',
  ),
  'reset.invalid': e(200, '重置链接非法或已过期', 'The reset link is invalid or has expired'),
  'account.password-needed': e(
    200,
    '修改密码需要提供原密码',
    'To change the password, give the present one as well',
  ),
  'account.password-wrong': e(200, '原密码错误', 'The present password is wrong'),
  'account.delete-root': e(
    200,
    '不能删除超级管理员账户',
    'The super administrator’s account cannot be deleted',
  ),
} as const satisfies ErrorTexts
