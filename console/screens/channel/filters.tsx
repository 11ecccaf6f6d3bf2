import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { groupsQuery } from '../../groups-query.ts'
import { useText } from '../../text.ts'
import { choiceFilter, FilterBar } from '../../ui/filter-bar.tsx'
import { textFilter } from '../../ui/search-box.tsx'
import { channelText } from './catalogue.ts'
import styles from './channel.module.css'
import type { ChannelSearch } from './route.ts'

interface FiltersProps {
  search: ChannelSearch
  filter(next: ChannelSearch): void
  /** Given when anything is filtered. */
  clear: (() => void) | undefined
  byId: boolean
  toggleById(): void
  batch: { readonly isOn: boolean; toggle(): void; deleteSelected(): void; setTag(): void }
}

export function Filters({ search, filter, clear, byId, toggleById, batch }: FiltersProps) {
  const t = useText(channelText)
  const groups = useQuery(groupsQuery).data ?? []
  const filters = [
    textFilter('keyword', {
      main: true,
      label: t('searchKeyword'),
      value: search.keyword ?? '',
      onSearch: keyword => filter({ keyword: keyword || undefined }),
    }),
    textFilter('model', {
      label: t('searchModel'),
      value: search.model ?? '',
      onSearch: model => filter({ model: model || undefined }),
    }),
    choiceFilter('group', {
      label: t('group'),
      value: search.group ?? '',
      options: [{ value: '', label: t('allGroups') }, ...groups.map(name => ({ value: name, label: name }))],
      onChange: group => filter({ group: group || undefined }),
    }),
    choiceFilter('status', {
      label: t('status'),
      value: search.status ?? '',
      options: [
        { value: '', label: t('allStatuses') },
        { value: 'enabled', label: t('enabled') },
        { value: 'disabled', label: t('disabled') },
      ],
      onChange: status =>
        filter({ status: status === 'enabled' || status === 'disabled' ? status : undefined }),
    }),
  ]
  return (
    <>
      <FilterBar filters={filters} clear={clear} />
      <div className={styles.toggles}>
        <Toggle label={t('idSort')} on={byId} toggle={toggleById} />
        <Toggle
          label={t('tagMode')}
          on={search.tag_mode === true}
          toggle={() => filter({ tag_mode: search.tag_mode ? undefined : true })}
        />
        <Toggle label={t('batch')} on={batch.isOn} toggle={batch.toggle} />
        {batch.isOn && (
          <span className={styles.batch}>
            <Button size="xs" variant="default" onClick={batch.setTag}>
              {t('setTag')}
            </Button>
            <Button size="xs" variant="default" onClick={batch.deleteSelected}>
              {t('deleteSelected')}
            </Button>
          </span>
        )}
      </div>
    </>
  )
}

function Toggle({ label, on, toggle }: { label: string; on: boolean; toggle(): void }) {
  return (
    <label className={styles.toggle}>
      <input type="checkbox" role="switch" aria-checked={on} checked={on} onChange={toggle} />
      {label}
    </label>
  )
}
