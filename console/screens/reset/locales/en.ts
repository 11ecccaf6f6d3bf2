import type zh from './zh.ts'

export default {
  title: 'Reset password',
  lead: 'Enter your account’s email address and we’ll send you a reset link',
  send: 'Send reset link',
  sent: 'Email sent. Check your inbox.',
  sentLead:
    'If this address is registered, the email arrives within a few minutes. The link is valid for 10 minutes.',
  confirmLead: 'This generates a new password and ends all sessions of this account',
  confirm: 'Generate new password',
  badLink: 'This reset link is invalid. Request a new one.',
  askAgain: 'Request a new link',
  doneTitle: 'Password reset',
  doneLead: 'The new password is shown only once. Save it now; you can change it in settings.',
  copy: 'Copy new password',
} satisfies Record<keyof typeof zh, string>
