// What the palette finds on the server: tokens of one's own and, for administrators, channels and users.

import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { channelEndpoints } from '../../contract/channels.ts'
import { tokenEndpoints } from '../../contract/tokens.ts'
import { userAdminEndpoints } from '../../contract/user-admin.ts'
import { roles } from '../../contract/users.ts'
import { call } from '../api.ts'
import { mayBeKey } from '../may-be-key.ts'
import { asPage } from '../page-of-rows.ts'
import { useUser } from '../session.ts'

export type RecordKind = 'token' | 'channel' | 'user'

export interface FoundRecord {
  readonly kind: RecordKind
  readonly id: number
  readonly name: string
  /** What else it is known by, and may have been found by. */
  readonly hint?: string
}

const WAIT_MS = 200
const FEWEST_LETTERS = 2
const MOST = 5

/** Asks while someone types, and gives up what was asked for before. A search that fails finds nothing. */
export function useFoundRecords(typed: string): { records: readonly FoundRecord[]; isSearching: boolean } {
  const role = useUser()?.role ?? 0
  const query = typed.trim()
  const [settled] = useDebouncedValue(query, WAIT_MS)
  const canSearch = role > 0 && query.length >= FEWEST_LETTERS
  const { data = [], isFetching } = useQuery({
    queryKey: ['found-records', settled, role],
    queryFn: ({ signal }) => findRecords(settled, role >= roles.admin, signal),
    enabled: canSearch && settled.length >= FEWEST_LETTERS,
    placeholderData: before => before,
    gcTime: 0,
  })
  if (!canSearch) return { records: [], isSearching: false }
  const isSearching = isFetching || settled !== query
  // Until the answer is there, what was found for fewer letters is narrowed down.
  const narrowed = data.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
  return { records: isSearching ? narrowed : data, isSearching }
}

async function findRecords(keyword: string, isAdmin: boolean, signal: AbortSignal): Promise<FoundRecord[]> {
  // Keys stand in no address; and users have none.
  const isKey = mayBeKey(keyword)
  const searches = [
    findTokens(keyword, isKey, signal),
    ...(isAdmin ? [findChannels(keyword, isKey, signal)] : []),
    ...(isAdmin && !isKey ? [findUsers(keyword, signal)] : []),
  ]
  const found = await Promise.allSettled(searches)
  return found.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
}

async function findTokens(keyword: string, isKey: boolean, signal: AbortSignal): Promise<FoundRecord[]> {
  const asked = { p: 1, page_size: MOST, keyword }
  const found = isKey
    ? await call(tokenEndpoints.findTokens, { body: asked, signal })
    : await call(tokenEndpoints.searchTokens, { query: asked, signal })
  return asPage(found).items.map(({ id, name }) => ({ kind: 'token', id, name }))
}

async function findChannels(keyword: string, isKey: boolean, signal: AbortSignal): Promise<FoundRecord[]> {
  const asked = { p: '1', page_size: String(MOST), form: 'paged', keyword } as const
  const found = isKey
    ? await call(channelEndpoints.findChannels, { body: asked, signal })
    : await call(channelEndpoints.searchChannels, { query: asked, signal })
  return asPage(found).items.map(({ id, name }) => ({ kind: 'channel', id, name }))
}

/** Those who are gone cannot be opened. */
async function findUsers(keyword: string, signal: AbortSignal): Promise<FoundRecord[]> {
  const query = { p: 1, page_size: MOST, keyword }
  const found = await call(userAdminEndpoints.searchUsers, { query, signal })
  return asPage(found)
    .items.filter(({ DeletedAt }) => DeletedAt === null)
    .map(({ id, username, display_name, email }) => {
      const hint = display_name === username ? email : display_name
      return { kind: 'user', id, name: username, hint: hint || email }
    })
}
