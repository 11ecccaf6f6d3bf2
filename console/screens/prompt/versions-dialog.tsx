import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PromptDetails, PromptView } from '../../../contract/prompts.ts'
import { useText } from '../../text.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { promptText } from './catalogue.ts'
import { type Compared, Comparison } from './comparison.tsx'
import { promptQuery } from './prompts-query.ts'
import { ReleaseHistory } from './release-history.tsx'
import { VersionList } from './version-list.tsx'

interface VersionsDialogProps {
  prompt: PromptView
  onTry(version: number): void
  close(): void
}

/** Which versions there are and what they are called by, what differs between two, and who has released what. */
export default function VersionsDialog({ prompt, onTry, close }: VersionsDialogProps) {
  const t = useText(promptText)
  const { data, error, refetch } = useQuery(promptQuery(prompt.id))
  return (
    <Dialog opened onClose={close} title={t('versionsOf', { name: prompt.name })} size={920}>
      {data ? (
        <Views prompt={data} onTry={onTry} />
      ) : error ? (
        <LoadFailure error={error} retry={() => refetch()} />
      ) : (
        <Skeleton rows={6} />
      )}
    </Dialog>
  )
}

const all = ['versions', 'compare', 'history'] as const
type View = (typeof all)[number]

function Views({ prompt, onTry }: { prompt: PromptDetails; onTry(version: number): void }) {
  const t = useText(promptText)
  const [view, setView] = useState<View>('versions')
  const [compared, setCompared] = useState<Compared>(() => usualPair(prompt))
  const views = prompt.versions.length > 1 ? all : all.filter(one => one !== 'compare')
  return (
    <>
      <Segments<View>
        label={t('versions')}
        value={view}
        options={views.map(value => ({ value, label: t(value) }))}
        onChange={setView}
      />
      {view === 'versions' && <VersionList prompt={prompt} onTry={onTry} />}
      {view === 'compare' && <Comparison prompt={prompt} compared={compared} onChange={setCompared} />}
      {view === 'history' && (
        <ReleaseHistory
          prompt={prompt}
          compare={pair => {
            setCompared(pair)
            setView('compare')
          }}
        />
      )}
    </>
  )
}

/** What is in use beside the newest, or where that is the same beside the one before. */
function usualPair({ version, versions }: PromptDetails): Compared {
  const newest = versions[0]?.version ?? version
  if (newest !== version) return { one: version, other: newest }
  return { one: versions.find(one => one.version < version)?.version ?? version, other: version }
}
