import type zh from './zh.ts'

export default {
  lead: 'Shares from {from} to {to}, compared with the period before',
  leadAlone: 'Shares from {from} to {to}',
  period: 'Period',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  by: 'Ranked by',
  tokens: 'By tokens',
  calls: 'By calls',
  models: 'Models',
  vendors: 'Vendors',
  up: '{count, plural, one {Up # place} other {Up # places}}',
  down: '{count, plural, one {Down # place} other {Down # places}}',
  same: 'Same place as before',
  new: 'New',
  points: 'Share changed by {points} percentage points',
  few: 'Too few calls in this time to rank',
  fewLead: 'Models with fewer than 50 calls or 3 users are left out.',
  off: 'Rankings are not enabled',
  offLead: 'An administrator can enable them under Settings → Operation → Dashboard.',
} satisfies Record<keyof typeof zh, string>
