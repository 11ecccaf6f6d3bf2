import type zh from './zh.ts'

export default {
  atMost: '{period} at most',
  'five-hours': 'Per 5 hours',
  day: 'Per day',
  help: 'In quota units; blank for no limit. What calls in progress reserve counts as spent.',
  left: '{period}: {left} of {amount} left',
  month: 'Per month',
  none: 'In total',
  'seven-days': 'Per 7 days',
  spent: '{spent} spent',
  title: 'Spending limits',
  unlimited: 'No limit',
  until: 'renews {time}',
  week: 'Per week',
  whilePlan: '0 means no limit. While the plan runs, spending from the user’s own balance counts too.',
  wrong: 'Must be a whole number, 0 or more',
} satisfies Record<keyof typeof zh, string>
