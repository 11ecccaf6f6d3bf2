import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { auditEndpoints } from '../../../../contract/audit.ts'
import { auditActions } from '../../../../contract/audit-actions.ts'
import { call } from '../../../api.ts'
import { useText } from '../../../text.ts'
import { choiceFilter, FilterBar } from '../../../ui/lists/filter-bar.tsx'
import { Pager } from '../../../ui/lists/pager.tsx'
import { textFilter } from '../../../ui/lists/search-box.tsx'
import { useListPage } from '../../../ui/lists/use-list-page.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Empty } from '../../../ui/table/empty.tsx'
import styles from './audit.module.css'
import { auditText } from './catalogue.ts'
import { actionName, auditColumns } from './columns.tsx'
import { RecordDetail } from './record-detail.tsx'
import { VerifyRecord } from './verify-record.tsx'

const route = getRouteApi('/setting')

/** The record of management changes. */
export default function AuditTab() {
  const t = useText(auditText)
  const { p, user, action, subject } = route.useSearch()
  const navigate = useNavigate()
  const list = useListPage({
    key: ['audit'],
    search: { p, user, action, subject },
    filters: ['user', 'action', 'subject'],
    read: (paging, signal) =>
      call(auditEndpoints.auditRecords, {
        query: { ...paging, user: user ?? '', action: action ?? '', subject: subject ?? '' },
        signal,
      }),
    show: next => navigate({ to: '/setting', search: { tab: 'audit', ...next } }),
  })
  const columns = useMemo(() => auditColumns(t), [t])
  return (
    <div className={styles.tab}>
      <div className={styles.head}>
        <p className={styles.lead}>{t('lead')}</p>
        <VerifyRecord />
      </div>
      <FilterBar
        filters={[
          textFilter('user', {
            main: true,
            label: t('who'),
            value: user ?? '',
            onSearch: text => list.filter({ user: text || undefined }),
          }),
          choiceFilter('action', {
            label: t('action'),
            value: action ?? '',
            options: [
              { value: '', label: t('anyAction') },
              ...Object.keys(auditActions).map(name => ({ value: name, label: actionName(name) })),
            ],
            onChange: chosen => list.filter({ action: chosen || undefined }),
          }),
          textFilter('subject', {
            label: t('subjectHint'),
            value: subject ?? '',
            onSearch: text => list.filter({ subject: text || undefined }),
          }),
        ]}
        clear={list.isFiltered ? list.clear : undefined}
      />
      <DataTable
        label={t('change')}
        columns={columns}
        rows={list.rows}
        rowId={({ id }) => id}
        rowName={({ action: done, subject: of }) => `${actionName(done)} ${of}`}
        total={list.total}
        fetching={list.fetching}
        error={list.error}
        retry={list.retry}
        expand={record => (
          <RecordDetail record={record} showSubject={() => list.filter({ subject: record.subject })} />
        )}
        empty={<Empty title={t('none')} />}
      />
      <Pager
        page={list.page}
        pageSize={list.pageSize}
        total={list.total}
        onPage={list.turnTo}
        onPageSize={list.resize}
      />
    </div>
  )
}
