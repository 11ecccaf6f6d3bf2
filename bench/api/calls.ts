import { channelId, groups, modelName, spread, tokenName, userName } from './generate/spread.ts'

export type Who = 'admin' | 'user' | 'collector'

/** One call of the console, asked for a number of times, each time for something else. */
export interface Call {
  readonly name: string
  readonly mostMs: number
  readonly as: Who
  path(at: number, now: number): string
}

const PAGE_MS = 50
const SUM_MS = 100
const HOUR = 3600
const DAY = 24 * HOUR
const SIZE = 20

function page(name: string, path: (at: number, now: number) => string, as: Who = 'admin'): Call {
  return { name, mostMs: PAGE_MS, as, path }
}

function sum(name: string, path: (at: number, now: number) => string, as: Who = 'admin'): Call {
  return { name, mostMs: SUM_MS, as, path }
}

const logs = (filter: string, p = 1, own = ''): string => `/api/log/${own}?p=${p}&page_size=${SIZE}${filter}`
/** Part of the past, neither end at a whole hour. */
const span = (at: number, now: number, days: number): string =>
  `&start_timestamp=${now - (at % 20) * DAY - days * DAY - 777}&end_timestamp=${now - (at % 20) * DAY - 555}`
const window = (now: number, days: number): string =>
  `start_timestamp=${now - days * DAY}&end_timestamp=${now}`
const usage = (by: string, unit: string, now: number, days: number, own = ''): string =>
  `/api/statistics${own}?by=${by}&unit=${unit}&from=${now - days * DAY}&to=${now}&offset=480`

export const calls: readonly Call[] = [
  page('log, first page', () => logs('')),
  page('log, 1,000th page', at => logs('', 1000 + at)),
  page('log, from a row on', at => logs(`&before_id=${(at + 1) * 300}`)),
  page('log, a week', (at, now) => logs(span(at, now, 7), 1 + at)),
  page('log by model', at => logs(`&model_name=${modelName(at * 5)}`)),
  page('log by model, 100th page', at => logs(`&model_name=${modelName(at * 5)}`, 100)),
  page('log by part of a model', at => logs(`&model_name=${`del-10${at % 10}`}`)),
  page('log by token, a rare name', at => logs(`&token_name=${tokenName(at * 23)}`)),
  page('log by token, a common name', at => logs('&token_name=default', 1 + at * 10)),
  page('log by token, no such name', at => logs(`&token_name=nobody-${at}`)),
  page('log by user', at => logs(`&username=${userName(at * 23)}`, 1 + (at % 5))),
  page('log by user, no such name', at => logs(`&username=nobody${at}`)),
  page('log by user and model', at => logs(`&username=${userName(at * 23)}&model_name=model-1`)),
  page('log by user and token', at =>
    logs(`&username=${userName(at * 23)}&token_name=${tokenName(at * 23)}`),
  ),
  page('log by channel', at => logs(`&channel=${channelId(at)}`, 1 + (at % 5))),
  page('log by group', at => logs(`&group=${groups[at % 3]}`, 1 + at * 10)),
  page('log by type', at => logs(`&type=${1 + (at % 5)}`)),
  page('log by type, a week', (at, now) => logs(`&type=${1 + (at % 5)}${span(at, now, 7)}`)),
  page('log by model and channel, a week', (at, now) =>
    logs(`&model_name=${modelName(at * 5)}&channel=${channelId(at * 15)}${span(at, now, 7)}`),
  ),
  page('log by token and model, a week', (at, now) =>
    logs(`&token_name=default&model_name=${modelName(at * 5)}${span(at, now, 7)}`),
  ),
  page('own log, first page', () => logs('', 1, 'self'), 'user'),
  page('own log by model', at => logs(`&model_name=${modelName(at * 5)}`, 1, 'self'), 'user'),
  page(
    'own log by token',
    at => logs(`&token_name=token-${spread.firstId + 1 + (at % 2)}`, 1, 'self'),
    'user',
  ),
  page('own log by type, a month', (at, now) => logs(`&type=2${span(at, now, 30)}`, 1, 'self'), 'user'),
  page('log search, the old form', at => `/api/log/search?keyword=${modelName(at * 5)}`),

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

  page('users, first page', () => `/api/user/?p=1&page_size=${SIZE}`),
  page('users, 1,000th page', at => `/api/user/?p=${1000 + at}&page_size=${SIZE}`),
  page('users by keyword', at => `/api/user/search?p=1&page_size=${SIZE}&keyword=${userName(at * 23)}`),
  page(
    'users by a common keyword',
    at => `/api/user/search?p=${1 + at}&page_size=${SIZE}&keyword=mail${at % 7}`,
  ),
  page(
    'users by group',
    at => `/api/user/search?p=${1 + at}&page_size=${SIZE}&keyword=&group=${groups[at % 3]}`,
  ),
  page('channels, first page', () => `/api/channel/?p=1&page_size=${SIZE}&form=paged`),
  page('channels, 400th page', at => `/api/channel/?p=${400 + at}&page_size=${SIZE}&form=paged`),
  page('channels by id', at => `/api/channel/?p=${1 + at}&page_size=${SIZE}&form=paged&id_sort=true`),
  page('channels by tag', at => `/api/channel/?p=${1 + (at % 8)}&page_size=${SIZE}&form=paged&tag_mode=true`),
  page(
    'channels by keyword',
    at => `/api/channel/search?p=1&page_size=${SIZE}&form=paged&keyword=vendor%20${at}`,
  ),
  page(
    'channels by model and group',
    at => `/api/channel/search?p=1&page_size=${SIZE}&form=paged&keyword=&model=${modelName(at)}&group=vip`,
  ),
  page('tokens, first page', () => `/api/token/?p=1&page_size=${SIZE}`, 'collector'),
  page('tokens, 1,000th page', at => `/api/token/?p=${1000 + at}&page_size=${SIZE}`, 'collector'),
  page(
    'tokens by keyword',
    at => `/api/token/search?p=1&page_size=${SIZE}&keyword=n-6${at}&token=`,
    'collector',
  ),
  page(
    'tokens by a part of the key',
    at => `/api/token/search?p=1&page_size=${SIZE}&keyword=&token=Z2${at}`,
    'collector',
  ),
  page('prices', () => '/api/pricing'),
  page('models', () => '/api/models'),
  page('models of one', () => '/api/user/models', 'user'),
]
