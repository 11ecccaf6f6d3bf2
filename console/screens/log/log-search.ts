import { logTypes } from '../../../contract/log-types.ts'
import type { LogView } from '../../../contract/logs.ts'
import { meansModel } from '../../../contract/model-text.ts'
import { readFlag, readInteger, readPage, readText } from '../../search-params.ts'

/** What the address says. `start` 0 means since ever, below 0 so far back from now; without it, since midnight. */
export interface LogSearch {
  p?: number
  type?: number
  start?: number
  end?: number
  model?: string
  token?: string
  group?: string
  request?: string
  label?: string
  /** Administrators only. */
  channel?: number
  user?: string
  live?: true
}

const HOUR = 3600
const MOST_TYPE = Math.max(...Object.values(logTypes))

export function readLogSearch(search: Readonly<Record<string, unknown>>): LogSearch {
  const { type } = readInteger(search, 'type')
  const { end } = readInteger(search, 'end')
  const { channel } = readInteger(search, 'channel')
  return {
    ...readPage(search),
    ...(type !== undefined && type > 0 && type <= MOST_TYPE ? { type } : {}),
    ...readInteger(search, 'start'),
    ...(end !== undefined && end > 0 ? { end } : {}),
    ...readText(search, 'model'),
    ...readText(search, 'token'),
    ...readText(search, 'group'),
    ...readText(search, 'request'),
    ...readText(search, 'label'),
    ...(channel !== undefined && channel > 0 ? { channel } : {}),
    ...readText(search, 'user'),
    ...readFlag(search, 'live'),
  }
}

/** Whether it is narrowed down by anything; a span of time counts too. */
export function isNarrowed({ p: _, live: __, ...filters }: LogSearch): boolean {
  return Object.values(filters).some(value => value !== undefined)
}

export function midnight(now: Date): number {
  return Math.floor(new Date(now).setHours(0, 0, 0, 0) / 1000)
}

function startOf(search: LogSearch, now: Date): number {
  const { start = midnight(now) } = search
  return start < 0 ? Math.floor(now.getTime() / 1000) + start : start
}

/** What the calls are asked with. A window without an end reaches an hour ahead: clocks differ. */
export function filtersOf(search: LogSearch, isAdmin: boolean, now = new Date()): Record<string, string> {
  const start = startOf(search, now)
  const { end = Math.floor(now.getTime() / 1000) + HOUR } = search
  const given: Record<string, string | number | undefined> = {
    type: search.type,
    token_name: search.token,
    model_name: search.model,
    group: search.group,
    request_id: search.request,
    label: search.label,
    ...(isAdmin ? { username: search.user, channel: search.channel } : {}),
    start_timestamp: start > 0 ? start : undefined,
    end_timestamp: start > 0 || search.end !== undefined ? end : undefined,
  }
  const filters: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) if (value !== undefined) filters[name] = String(value)
  return filters
}

/** The same filters for rows that come by themselves. */
export function matchesSearch(row: LogView, search: LogSearch, isAdmin: boolean, now = new Date()): boolean {
  const { end, type, token, group, request, label, model } = search
  return (
    row.created_at >= startOf(search, now) &&
    (end === undefined || row.created_at <= end) &&
    (type === undefined || row.type === type) &&
    (token === undefined || row.token_name === token) &&
    (group === undefined || row.group === group) &&
    (request === undefined || row.request_id === request) &&
    (label === undefined || row.labels.includes(label)) &&
    (model === undefined || meansModel(model, row.model_name)) &&
    (!isAdmin || search.user === undefined || row.username === search.user) &&
    (!isAdmin || search.channel === undefined || row.channel === search.channel)
  )
}
