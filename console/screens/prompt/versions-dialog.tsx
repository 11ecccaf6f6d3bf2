import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type PromptDetails,
  type PromptRole,
  type PromptView,
  promptEndpoints,
} from '../../../contract/prompts.ts'
import { call } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { useText } from '../../text.ts'
import { Tag } from '../../ui/content/tag.tsx'
import { NativeSelect } from '../../ui/fields/fields.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { toast } from '../../ui/layers/toast.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { promptText } from './catalogue.ts'
import { compareLines, linesOf } from './line-differences.ts'
import styles from './prompt.module.css'
import { promptQuery, refreshPrompts, versionQuery } from './prompts-query.ts'
import { roleWords } from './role-words.ts'

/** Which versions there are, which is in use, and what differs between two. */
export default function VersionsDialog({ prompt, close }: { prompt: PromptView; close(): void }) {
  const t = useText(promptText)
  const { data, error, refetch } = useQuery(promptQuery(prompt.id))
  return (
    <Dialog opened onClose={close} title={t('versionsOf', { name: prompt.name })} size={720}>
      {data ? (
        <>
          <VersionList prompt={data} />
          <Comparison key={data.version} prompt={data} />
        </>
      ) : error ? (
        <LoadFailure error={error} retry={() => refetch()} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Dialog>
  )
}

function VersionList({ prompt }: { prompt: PromptDetails }) {
  const t = useText(promptText)
  const { id } = prompt
  const [leaving, setLeaving] = useState<number>()
  const { mutate: use } = useMutation({
    mutationFn: (version: number) =>
      call(promptEndpoints.updatePrompt, { params: { id }, body: { version } }),
    onSuccess: (_, version) => {
      toast.success(t('taken', { version }))
      return refreshPrompts()
    },
  })
  const { mutate: remove } = useMutation({
    mutationFn: (version: number) => call(promptEndpoints.deletePromptVersion, { params: { id, version } }),
    onSuccess: (_, version) => {
      toast.success(t('versionDeleted', { version }))
      return refreshPrompts()
    },
  })
  const confirm = (
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
  )
  return (
    <>
      {confirm}
      <ul className={styles.versions}>
        {prompt.versions.map(({ version, note, created_at, creator }) => (
          <li key={version}>
            <span className={styles.number}>{version}</span>
            <span className={styles.about}>
              <span>{note || '–'}</span>
              <span className={styles.muted}>
                {[formatMinute(created_at), creator].filter(text => text !== '').join(' · ')}
              </span>
            </span>
            {version === prompt.version ? (
              <Tag tone="green">{t('inUse')}</Tag>
            ) : (
              prompt.editable && (
                <span className={styles.bar}>
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('table.actionOn', { action: t('use'), name: version })}
                    onClick={() => use(version)}
                  >
                    {t('use')}
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="red"
                    aria-label={t('table.actionOn', { action: t('delete'), name: version })}
                    onClick={() => setLeaving(version)}
                  >
                    {t('delete')}
                  </Button>
                </span>
              )
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function Comparison({ prompt }: { prompt: PromptDetails }) {
  const t = useText(promptText)
  const numbers = prompt.versions.map(({ version }) => version)
  const others = numbers.filter(version => version !== prompt.version)
  const [chosen, setChosen] = useState({
    one: others.find(version => version < prompt.version) ?? others[0] ?? prompt.version,
    other: prompt.version,
  })
  // One that was deleted meanwhile is chosen no more.
  const known = (version: number) => (numbers.includes(version) ? version : prompt.version)
  const one = useQuery(versionQuery(prompt.id, known(chosen.one))).data
  const other = useQuery(versionQuery(prompt.id, known(chosen.other))).data
  if (numbers.length < 2 || !one || !other) return null
  const say = (role: PromptRole) => t(roleWords[role])
  const lines = compareLines(linesOf(one, say), linesOf(other, say))
  const choice = (side: 'one' | 'other') => (
    <NativeSelect
      size="xs"
      aria-label={`${t('compare')} ${side === 'one' ? 1 : 2}`}
      data={numbers.map(String)}
      value={String(known(chosen[side]))}
      onChange={event => {
        const { value } = event.currentTarget
        setChosen(before => ({ ...before, [side]: Number(value) }))
      }}
    />
  )
  return (
    <section className={styles.comparison} aria-labelledby="prompt-compare">
      <div className={styles.bar}>
        <h3 id="prompt-compare">{t('compare')}</h3>
        {choice('one')}
        <span aria-hidden>→</span>
        {choice('other')}
      </div>
      {lines.every(({ kind }) => kind === 'same') ? (
        <p className={styles.help}>{t('same')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={styles.difference} tabIndex={0}>
          {lines.map(({ text, kind }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
            <span key={at} className={styles[kind]}>
              {kind === 'gone' ? '− ' : kind === 'new' ? '+ ' : '  '}
              {text}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </section>
  )
}
