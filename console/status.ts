// The status document: what the server tells everyone. The last one is kept locally, so that the next visit
// draws the right name, logo and menu at once.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { type StatusDocument, systemEndpoints } from '../contract/system.ts'
import { call } from './api.ts'
import { readStoredObject, store } from './storage.ts'

/** Also kept one by one, under these keys, as the tools of this family expect. */
const localFlags = [
  'system_name',
  'logo',
  'footer_html',
  'quota_per_unit',
  'display_in_currency',
  'enable_drawing',
  'enable_task',
  'enable_data_export',
  'data_export_default_time',
  'default_collapse_sidebar',
  'mj_notify_enabled',
  'chat_link',
  'chat_link2',
] as const satisfies readonly (keyof StatusDocument)[]

function storeStatus(status: StatusDocument): void {
  store('status', JSON.stringify(status))
  store('chats', JSON.stringify(status.chats))
  for (const flag of localFlags) store(flag, String(status[flag]))
}

function storedStatus(): StatusDocument | undefined {
  const stored = readStoredObject('status')
  return stored && 'system_name' in stored ? (stored as StatusDocument) : undefined
}

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) => {
    const status = await call(systemEndpoints.status, { signal })
    storeStatus(status)
    return status
  },
  initialData: storedStatus,
  initialDataUpdatedAt: 0,
  staleTime: 60_000,
})

/** Undefined only on a first visit, until the server has answered. */
export function useStatus(): StatusDocument | undefined {
  return useQuery(statusQuery).data
}
