import type zh from './zh.ts'

export default {
  saved: 'Saved',
  notice: 'Low-quota reminder',
  noticeBelow: 'Remind below',
  noticeBelowHint: 'When your balance falls below it; 0 for the default',
  noticeWay: 'Remind by',
  noticeUrl: 'Address',
  noticeSecret: 'Signing secret (optional)',
  noticeSave: 'Update reminder',
} satisfies Record<keyof typeof zh, string>
