import type zh from './zh.ts'

export default {
  title: 'Reset your password',
  lead: 'Enter the e-mail address of your account, and we send you a link',
  email: 'E-mail',
  emailMissing: 'Please enter your e-mail address!',
  send: 'Send the link',
  sent: 'The mail is on its way, check your mailbox',
  sentLead:
    'If this address is registered, the mail arrives within minutes. Its link is good for 10 minutes.',
  wait: 'Resend ({seconds})',
  toLogin: 'Go to log in',
  confirmLead: 'This makes a new password and ends all sessions of the account',
  confirm: 'Make a new password',
  badLink: 'This reset link is not valid: ask for a new one!',
  askAgain: 'Ask for a new link',
  doneTitle: 'Your password is reset',
  doneLead: 'The new password is shown this once. Save it now; you can change it in the settings.',
  newPassword: 'New password',
  copy: 'Copy the new password',
} satisfies Record<keyof typeof zh, string>
