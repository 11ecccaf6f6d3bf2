import type zh from './zh.ts'

export default {
  atMost: '{period} at most',
  'five-hours': 'In five hours',
  day: 'A day',
  help: 'Blank for no limit. What calls under way have set aside counts as spent.',
  left: '{period}: {left} of {amount} left',
  month: 'A month',
  none: 'In all',
  'seven-days': 'In seven days',
  spent: '{spent} spent',
  title: 'Spending limits',
  until: 'renews {time}',
  week: 'A week',
  whilePlan: '0 for no limit. While the plan runs, spending one’s own balance counts too.',
  wrong: 'Must be a whole number, 0 or more',
} satisfies Record<keyof typeof zh, string>
