import { channelId, modelName, projectName, tokenName, userName } from '../generate/spread.ts'
import { type Call, DAY, sum } from './call.ts'
import { span } from './log-calls.ts'

const window = (now: number, days: number): string =>
  `start_timestamp=${now - days * DAY}&end_timestamp=${now}`
const usage = (by: string, unit: string, now: number, days: number, own = ''): string =>
  `/api/statistics${own}?by=${by}&unit=${unit}&from=${now - days * DAY}&to=${now}&offset=480`
const inZone = (by: string, unit: string, now: number, days: number): string =>
  `${usage(by, unit, now, days)}&zone=America/New_York`

export const sumCalls: readonly Call[] = [
  sum('stat, everything', () => '/api/log/stat'),
  sum('stat, a week', (at, now) => `/api/log/stat?${span(at, now, 7)}`),
  sum('stat, a month by model', (at, now) => `/api/log/stat?model_name=${modelName(at)}${span(at, now, 30)}`),
  sum('stat by user', at => `/api/log/stat?username=${userName(at * 23)}`),
  sum('stat by channel', at => `/api/log/stat?channel=${channelId(at)}`),
  sum('stat by token, a rare name', at => `/api/log/stat?token_name=${tokenName(at * 23)}`),
  sum('stat by token, a common name', () => '/api/log/stat?token_name=default'),
  sum('own stat, a month', (at, now) => `/api/log/self/stat?${span(at, now, 30)}`, 'user'),
  sum('dashboard, a day by the hour', (_, now) => `/api/data/?${window(now, 1)}`),
  sum('dashboard, 30 days by the hour', (_, now) => `/api/data/?${window(now, 30)}`),
  sum(
    'dashboard, 30 days of a user',
    (at, now) => `/api/data/?${window(now, 30)}&username=${userName(at * 23)}`,
  ),
  sum('own dashboard, 30 days', (_, now) => `/api/data/self?${window(now, 30)}`, 'user'),
  sum('statistics, 30 days', (_, now) => usage('none', 'day', now, 30)),
  sum('statistics by model, 30 days', (_, now) => usage('model', 'day', now, 30)),
  sum('statistics by channel, 30 days', (_, now) => usage('channel', 'day', now, 30)),
  sum('statistics by user, 7 days', (_, now) => usage('user', 'day', now, 7)),
  sum('statistics by token, 7 days', (_, now) => usage('token', 'day', now, 7)),
  sum('own statistics by model, 30 days', (_, now) => usage('model', 'day', now, 30, '/self'), 'user'),
  sum('stat by label', at => `/api/log/stat?label=${projectName(at)}`),
  sum('stat by label and model', at => `/api/log/stat?label=${projectName(at)}&model_name=${modelName(at)}`),
  sum(
    'stat by user and token',
    at => `/api/log/stat?username=${userName(at * 23)}&token_name=${tokenName(at * 23)}`,
  ),
  sum('stat of a team', () => '/api/log/self/stat', 'owner'),
  sum('own stat in a team', () => '/api/log/self/stat', 'member'),
  sum('dashboard, everything', () => '/api/data/?start_timestamp=1'),
  sum('dashboard of a team, 30 days', (_, now) => `/api/data/self?${window(now, 30)}`, 'owner'),
  sum('own dashboard in a team, 30 days', (_, now) => `/api/data/self?${window(now, 30)}`, 'member'),
  sum('statistics by label, 30 days', (_, now) => usage('label', 'day', now, 30)),
  sum('statistics by label, 400 days', (_, now) => usage('label', 'all', now, 400)),
  sum('statistics by user, 400 days', (_, now) => usage('user', 'all', now, 400)),
  sum('statistics by model in a zone, 60 days', (_, now) => inZone('model', 'week', now, 60)),
  sum('statistics of a team by model, 30 days', (_, now) => usage('model', 'day', now, 30, '/self'), 'owner'),
  sum('statistics of a team by token, 7 days', (_, now) => usage('token', 'day', now, 7, '/self'), 'owner'),
  sum('statistics of a team by label, 30 days', (_, now) => usage('label', 'day', now, 30, '/self'), 'owner'),
  sum('own statistics in a team, 30 days', (_, now) => usage('model', 'day', now, 30, '/self'), 'member'),
  sum('rankings of a month', at => `/api/rankings?period=month&by=${at % 2 ? 'tokens' : 'calls'}`),
  sum('performance, 720 hours', () => '/api/perf-metrics?hours=720'),
  sum('performance of all, 168 hours', () => '/api/perf-metrics/summary?hours=168'),
]
