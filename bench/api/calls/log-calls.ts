import { channelId, groups, modelName, projectName, spread, tokenName, userName } from '../generate/spread.ts'
import { type Call, DAY, page, SIZE, type Who } from './call.ts'

const logs = (filter: string, p = 1, own = ''): string => `/api/log/${own}?p=${p}&page_size=${SIZE}${filter}`
/** Part of the past, neither end at a whole hour. */
export const span = (at: number, now: number, days: number): string =>
  `&start_timestamp=${now - (at % 20) * DAY - days * DAY - 777}&end_timestamp=${now - (at % 20) * DAY - 555}`
const ofTeam = (name: string, filter: (at: number) => string, as: Who): Call =>
  page(name, at => logs(filter(at), 1, 'self'), as)
/** Of the keys that `generate/people.ts` makes: of a team's token. */
const teamKey = (at: number): string => (spread.firstId + spread.tokens + at).toString(36).padStart(48, 'Z')

export const logCalls: readonly Call[] = [
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
  page('log by model, no such name', at => logs(`&model_name=nothing-${at}`)),
  page('log by type, no such kind', at => logs(`&type=${6 + at}`)),
  page('log by request', (at, _, { requestIds }) => logs(`&request_id=${requestIds[at]}`)),
  page('log by request, no such id', at => logs(`&request_id=nothing-${at}`)),
  page('log by request, of another gateway', at => logs(`&request_id=import-${at}`)),
  page('log by label', at => logs(`&label=${projectName(at)}`, 1 + at * 10)),
  page('log by label, a common one', at => logs('&label=env:prod', 1 + at * 10)),
  page('log by label, no such one', at => logs(`&label=nothing-${at}`)),
  page('log by label and model', at => logs(`&label=${projectName(at)}&model_name=${modelName(at * 5)}`)),
  page('log by label and model, nothing', at => logs(`&label=env:prod&model_name=nothing-${at}`)),
  page('log by label and user', at => logs(`&label=${projectName(at)}&username=${userName(at * 23)}`)),
  page('own log by label', at => logs(`&label=${projectName(at)}`, 1, 'self'), 'user'),
  ofTeam('log of a team', () => '', 'owner'),
  ofTeam('log of a team by model', at => `&model_name=${modelName(at * 5)}`, 'owner'),
  ofTeam('log of a team by model, no such name', at => `&model_name=nothing-${at}`, 'owner'),
  ofTeam(
    'log of a team by token',
    at => `&token_name=token-${spread.firstId + spread.tokens + at * 9}`,
    'owner',
  ),
  ofTeam('log of a team by label', at => `&label=${projectName(at)}`, 'owner'),
  ofTeam('own log in a team', () => '', 'member'),
  ofTeam('own log in a team by model', at => `&model_name=${modelName(at * 5)}`, 'member'),
  ofTeam('own log in a team by label', at => `&label=${projectName(at)}`, 'member'),
  ofTeam('own log in a team, none yet', () => '', 'newcomer'),
  ofTeam('own log in a team by model, none yet', at => `&model_name=${modelName(at)}`, 'newcomer'),
  page(
    'own log in a team, the old search',
    at => `/api/log/self/search?keyword=${modelName(at)}`,
    'newcomer',
  ),
  page('log of a key', at => `/api/log/token?key=sk-${teamKey(at * 100)}`),
  page('log of a key, none yet', () => `/api/log/token?key=sk-${teamKey(spread.teamTokens)}`),
  page('trail of a request', (at, _, { requestIds }) => `/api/log/trail/${requestIds[at]}`),
  page('words of a call', (at, _, { requestIds }) => `/api/log/content/${requestIds[at]}`),
]
