import { useQuery } from '@tanstack/react-query'
import { channelTypes } from '../../../contract/channel-types.ts'
import { groupsQuery } from '../../groups-query.ts'
import { useLanguage, useText } from '../../text.ts'
import { choiceFilter, FilterBar } from '../../ui/lists/filter-bar.tsx'
import { textFilter } from '../../ui/lists/search-box.tsx'
import { BeforeSelection } from '../../ui/table/selection-bar.tsx'
import type { Selection } from '../../ui/table/use-selection.ts'
import { channelText } from './catalogue.ts'
import styles from './channel.module.css'
import { type ChannelSearch, channelStates } from './route.ts'
import type { Batch } from './use-batch.tsx'

interface FiltersProps {
  search: ChannelSearch
  filter(next: ChannelSearch): void
  /** Given when anything is filtered. */
  clear: (() => void) | undefined
  byId: boolean
  toggleById(): void
  batch: Batch
  selection: Selection
}

export function Filters({ search, filter, clear, byId, toggleById, batch, selection }: FiltersProps) {
  const t = useText(channelText)
  const language = useLanguage()
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
    choiceFilter('type', {
      label: t('type'),
      value: String(search.type ?? ''),
      options: [
        { value: '', label: t('allTypes') },
        ...channelTypes.map(({ id, name }) => ({ value: String(id), label: name[language] })),
      ],
      onChange: type => filter({ type: type === '' ? undefined : Number(type) }),
    }),
    choiceFilter('status', {
      label: t('status'),
      value: search.status ?? '',
      options: [
        { value: '', label: t('allStatuses') },
        { value: 'enabled', label: t('enabled') },
        { value: 'disabled', label: t('disabled') },
        { value: 'auto', label: t('disabledByItself') },
      ],
      onChange: chosen => filter({ status: channelStates.find(state => state === chosen) }),
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
          <BeforeSelection selection={selection} className={styles.batch}>
            {batch.buttons}
          </BeforeSelection>
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
