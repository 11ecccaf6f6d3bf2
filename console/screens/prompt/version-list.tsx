import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LATEST, type PromptDetails, promptEndpoints } from '../../../contract/prompts.ts'
import { call } from '../../api.ts'
import { formatCount, formatMinute } from '../../format.ts'
import { formatQuota } from '../../quota.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { promptText } from './catalogue.ts'
import { refreshPrompts } from './prompts-query.ts'
import { ReleaseDialog } from './release-dialog.tsx'
import { useMoveLabel } from './use-move-label.ts'
import { labelsOf, VersionLabels } from './version-labels.tsx'
import styles from './versions.module.css'

interface VersionListProps {
  prompt: PromptDetails
  onTry(version: number): void
}

/** Which versions there are, what they are called by, and what came of each. */
export function VersionList({ prompt, onTry }: VersionListProps) {
  const t = useText(promptText)
  const { id, editable } = prompt
  const [leaving, setLeaving] = useState<number>()
  const [releasing, setReleasing] = useState<number>()
  const { move } = useMoveLabel(id)
  const { mutate: remove } = useMutation({
    mutationFn: (version: number) => call(promptEndpoints.deletePromptVersion, { params: { id, version } }),
    onSuccess: (_, version) => {
      toast.success(t('versionDeleted', { version }))
      return refreshPrompts()
    },
  })
  const newest = prompt.versions[0]?.version
  return (
    <>
      <Confirm
        opened={leaving !== undefined}
        title={t('deleteVersion', { version: leaving ?? '' })}
        action={t('delete')}
        destructive
        onConfirm={() => {
          if (leaving !== undefined) remove(leaving)
          setLeaving(undefined)
        }}
        onCancel={() => setLeaving(undefined)}
      >
        {t('deleteForGood')}
      </Confirm>
      {releasing !== undefined && (
        <ReleaseDialog prompt={prompt} version={releasing} close={() => setReleasing(undefined)} />
      )}
      <ul className={styles.versions}>
        {prompt.versions.map(row => {
          const { version } = row
          const labels = labelsOf(prompt.labels, version, newest)
          const isFree = labels.every(label => label === LATEST)
          const named = (action: string) => t('table.actionOn', { action, name: version })
          return (
            <li key={version}>
              <span className={styles.number}>{version}</span>
              <span className={styles.about}>
                <span className={styles.called}>
                  <span>{row.note || '–'}</span>
                  <VersionLabels
                    labels={labels}
                    remove={editable ? label => move({ label, from: version, to: 0 }) : undefined}
                  />
                </span>
                <span className={styles.muted}>
                  {[formatMinute(row.created_at), row.creator].filter(text => text !== '').join(' · ')}
                </span>
              </span>
              <Uses {...row} />
              <span className={styles.acts}>
                {editable && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={named(t('release'))}
                    onClick={() => setReleasing(version)}
                  >
                    {t('release')}
                  </Button>
                )}
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={named(t('try'))}
                  onClick={() => onTry(version)}
                >
                  {t('try')}
                </Button>
                {editable && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="red"
                    disabled={!isFree}
                    title={isFree ? undefined : t('labelled')}
                    aria-label={named(t('delete'))}
                    onClick={() => setLeaving(version)}
                  >
                    {t('delete')}
                  </Button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** How often it was called, what was paid for that, and how much of it failed. */
function Uses({
  requests,
  errors,
  quota,
}: Pick<PromptDetails['versions'][number], 'requests' | 'errors' | 'quota'>) {
  const t = useText(promptText)
  const status = useStatus()
  if (requests === 0) return <span className={`${styles.uses} ${styles.muted}`}>{t('unused')}</span>
  return (
    <span className={styles.uses}>
      <span>{t('uses', { count: requests, text: formatCount(requests) })}</span>
      <span className={styles.muted}>
        {status && formatQuota(quota, status, 4)}
        {errors > 0 && ` · ${t('failed', { count: formatCount(errors) })}`}
      </span>
    </span>
  )
}
