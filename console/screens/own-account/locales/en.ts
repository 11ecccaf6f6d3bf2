import type zh from './zh.ts'

export default {
  title: 'Edit profile',
  lead: 'Your names and your low-quota reminder',
  usernameHint: 'Used to log in, at most 12 characters',
  displayNameLength: 'The display name must be 1 to 20 characters long',
  saved: 'Saved',
  cancel: 'Back to settings',
  notice: 'Low-quota reminder',
  noticeBelow: 'Remind below',
  noticeBelowHint: 'When your balance falls below it; 0 for the default',
  noticeWay: 'Remind by',
  noticeUrl: 'Address',
  noticeSecret: 'Signing secret (optional)',
  noticeSave: 'Update reminder',
} satisfies Record<keyof typeof zh, string>
