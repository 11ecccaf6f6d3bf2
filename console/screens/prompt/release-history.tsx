import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PRODUCTION, type PromptDetails, type PromptRelease } from '../../../contract/prompts.ts'
import { formatMinute } from '../../format.ts'
import { pageSizes } from '../../page-size.ts'
import { useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { Pager } from '../../ui/lists/pager.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { promptText } from './catalogue.ts'
import type { Compared } from './comparison.tsx'
import { releasesQuery } from './prompts-query.ts'
import { useMoveLabel } from './use-move-label.ts'
import styles from './versions.module.css'

/** Releases to a page. */
const [AT_FIRST] = pageSizes

interface ReleaseHistoryProps {
  prompt: PromptDetails
  compare(compared: Compared): void
}

/** Who moved which label, and the way back. */
export function ReleaseHistory({ prompt, compare }: ReleaseHistoryProps) {
  const t = useText(promptText)
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = useState<number>(AT_FIRST)
  const { data, error, refetch } = useQuery({
    ...releasesQuery(prompt.id, page, pageSize),
    placeholderData: keepPreviousData,
  })
  const { move } = useMoveLabel(prompt.id)
  const isThere = (version: number) => prompt.versions.some(one => one.version === version)
  const noteOf = (version: number) => prompt.versions.find(one => one.version === version)?.note
  if (!data) return error ? <LoadFailure error={error} retry={() => refetch()} /> : <Skeleton rows={4} />
  if (data.total === 0) return <p className={styles.help}>{t('noReleases')}</p>
  const standing = page === 1 ? lastMoves(prompt, data.items) : new Set()
  return (
    <>
      <ul className={styles.versions}>
        {data.items.map(({ id, label, from, to, created_at, creator }) => (
          <li key={id}>
            <span className={styles.about}>
              <span className={styles.called}>
                <Tag tone={label === PRODUCTION ? 'green' : 'blue'}>{label}</Tag>
                <span className={styles.moved}>{describe(t('nowhere'), from, to)}</span>
                <span className={styles.muted}>{noteOf(to)}</span>
              </span>
              <span className={styles.muted}>
                {[formatMinute(created_at), creator].filter(text => text !== '').join(' · ')}
              </span>
            </span>
            <span className={styles.acts}>
              {isThere(from) && isThere(to) && (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('table.actionOn', { action: t('compare'), name: `${from} → ${to}` })}
                  onClick={() => compare({ one: from, other: to })}
                >
                  {t('compare')}
                </Button>
              )}
              {prompt.editable && standing.has(id) && isThere(from) && (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('table.actionOn', {
                    action: t('rollBackTo', { version: from }),
                    name: label,
                  })}
                  onClick={() => move({ label, from: to, to: from })}
                >
                  {t('rollBackTo', { version: from })}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {data.total > AT_FIRST && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={data.total}
          onPage={setPage}
          onPageSize={size => {
            setPageSize(size)
            setPage(1)
          }}
        />
      )}
    </>
  )
}

function describe(nowhere: string, from: number, to: number): string {
  return `${from || nowhere} → ${to || nowhere}`
}

/** Of each label the last move, by which it stands where it does: what was moved on from is not moved back. */
function lastMoves({ labels }: PromptDetails, releases: readonly PromptRelease[]): ReadonlySet<number> {
  const stands = new Map(labels.map(({ label, version }) => [label, version]))
  const seen = new Set<string>()
  const last = new Set<number>()
  for (const { id, label, to } of releases) {
    if (!seen.has(label) && (stands.get(label) ?? 0) === to) last.add(id)
    seen.add(label)
  }
  return last
}
