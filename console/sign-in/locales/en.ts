import type zh from './zh.ts'

export default {
  'captcha.failed': 'The captcha could not be loaded: reload the page and try again',
  'captcha.pending': 'Try again in a few seconds: the captcha is still checking your browser',
  'captcha.reload': 'Reload the page',
  'captcha.title': 'Captcha',
  'email.code': 'E-mail verification code',
  'email.label': 'E-mail',
  'email.missing': 'Please enter your e-mail address!',
  'email.send': 'Send code',
  'email.sent': 'The code is on its way, check your mailbox',
  'email.wait': 'Resend ({seconds})',
  'passkey.cancelled': 'No passkey was used',
  'passkey.use': 'Log in with a passkey',
  'second.back': 'Back to log in',
  'second.code': 'Code',
  'second.help': 'The six digits of your authenticator app, or a backup code',
  'second.incomplete': 'Please enter the code!',
  'third.or': 'or',
  'third.waiting': 'Go on in the window that has opened',
  'third.with': 'Log in with {name}',
  'wechat.lead':
    'Scan the code with WeChat, follow the account and ask it for a verification code. It is good for three minutes.',
  'wechat.name': 'WeChat',
  'wechat.qrCode': 'QR code of the account',
  done: 'Logged in',
} satisfies Record<keyof typeof zh, string>
