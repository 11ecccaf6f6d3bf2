import { useQuery } from '@tanstack/react-query'
import { accountEndpoints } from '../../../contract/accounts.ts'
import { logTypes } from '../../../contract/log-types.ts'
import { call } from '../../api.ts'
import { groupsQuery } from '../../groups-query.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { timeFilter } from '../../ui/fields/time-range.tsx'
import { channelFilter } from '../../ui/lists/channel-filter.ts'
import { choiceFilter, type Filter, FilterBar } from '../../ui/lists/filter-bar.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { logText } from './catalogue.ts'
import { typeWord } from './cells.tsx'
import styles from './log.module.css'
import { isNarrowed, type LogSearch, midnight } from './log-search.ts'

interface FiltersProps {
  search: LogSearch
  isAdmin: boolean
  filter(next: LogSearch): void
  clear(): void
}

export function Filters({ search, isAdmin, filter, clear }: FiltersProps) {
  const t = useText(logText)
  const shell = useText(shellText)
  const groups = useGroups(isAdmin)
  const today = midnight(new Date())
  const types = Object.values(logTypes).filter(type => type !== logTypes.all)
  const box = (name: 'model' | 'token' | 'user' | 'label', label: string): Filter =>
    textFilter(name, {
      label,
      main: name === 'model',
      value: search[name] ?? '',
      onSearch: text => filter({ [name]: text || undefined }),
    })
  const filters = [
    timeFilter({
      t: shell,
      label: t('window'),
      start: search.start === 0 ? undefined : (search.start ?? today),
      end: search.end,
      isSet: search.start !== undefined || search.end !== undefined,
      onChange: ({ start = 0, end }) =>
        filter({ start: start === today && end === undefined ? undefined : start, end }),
      remove: () => filter({ start: undefined, end: undefined }),
    }),
    choiceFilter('type', {
      label: t('type'),
      value: String(search.type ?? ''),
      options: [
        { value: '', label: t('allTypes') },
        ...types.map(type => ({ value: String(type), label: typeWord(t, type) })),
      ],
      onChange: type => filter({ type: type === '' ? undefined : Number(type) }),
    }),
    box('model', t('modelName')),
    ...(isAdmin ? [box('user', t('username'))] : []),
    box('token', t('tokenName')),
    choiceFilter('group', {
      label: t('group'),
      value: search.group ?? '',
      options: [{ value: '', label: t('allGroups') }, ...groups.map(name => ({ value: name, label: name }))],
      onChange: group => filter({ group: group || undefined }),
    }),
    ...(isAdmin
      ? [
          channelFilter({
            label: t('channelId'),
            value: search.channel,
            onChange: channel => filter({ channel }),
          }),
        ]
      : []),
    box('label', t('label')),
    textFilter('request', {
      label: t('requestId'),
      value: search.request ?? '',
      // One request is wanted whenever it was.
      onSearch: request =>
        filter(request === '' ? { request: undefined } : { start: search.start ?? 0, request }),
    }),
  ]
  return (
    <div className={styles.filters}>
      <FilterBar filters={filters} clear={isNarrowed(search) ? clear : undefined} open={5} />
    </div>
  )
}

function useGroups(isAdmin: boolean): readonly string[] {
  const all = useQuery({ ...groupsQuery, enabled: isAdmin }).data
  const own = useQuery({
    queryKey: ['own-groups'],
    queryFn: ({ signal }) => call(accountEndpoints.ownGroups, { signal }),
    staleTime: 60_000,
    enabled: !isAdmin,
  }).data
  return all ?? Object.keys(own ?? {})
}
