import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ComponentType, useEffect, useRef, useState, useTransition } from 'react'
import { flushSync } from 'react-dom'
import { type SectionId, sections } from '../../../contract/settings/sections.ts'
import { useKeptState } from '../../kept-state.ts'
import { useLanguage } from '../../text.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import {
  changedKeys,
  type Draft,
  emptyDraft,
  groupBySection,
  type Settings,
  savedText,
  withEdit,
  withoutEdits,
  withSaved,
} from './draft.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { type Options, optionsQuery } from './options-query.ts'
import { Section, type SectionProps } from './section.tsx'
import { SectionNav } from './section-nav.tsx'
import styles from './settings.module.css'
import { useSaveKey } from './use-save-key.ts'

interface SettingsFormProps {
  settings: Settings
  /** Sections that are more than their fields. */
  special?: Partial<Record<SectionId, ComponentType<SectionProps>>>
}

/** A tab of settings, drawn from the registry: add a setting there and it appears here. */
export function SettingsForm(props: SettingsFormProps) {
  const { data, error, refetch } = useQuery(optionsQuery)
  if (error && !data) return <LoadFailure error={error} retry={refetch} />
  if (!data) return <Skeleton rows={6} />
  return <LoadedForm {...props} options={data} />
}

function LoadedForm({ settings, special, options }: SettingsFormProps & { options: Options }) {
  const language = useLanguage()
  const parts = groupBySection(settings)
  const { count, drawAll } = useGrowing(parts.length)
  const [{ edits, bases }, setDraft] = useKeptState<Draft>(parts[0]?.id, emptyDraft)
  // A row of a table may call what it was given when it was drawn: an edit begins from what is saved now.
  const latest = useRef(options)
  latest.current = options
  const savedOf = (key: string) => {
    const { values, revisions } = latest.current
    const setting = settings[key]
    return { text: setting ? savedText(setting, values[key]) : '', revision: revisions[key] }
  }
  useNamedSection()
  const groups = parts.map(group => ({
    ...group,
    title: sections[group.id][language],
    changed: changedKeys(settings, group.keys, options.values, edits),
  }))
  useSaveKey(groups.flatMap(({ id, changed }) => (changed.length > 0 ? id : [])))
  return (
    <div className={styles.layout}>
      <SectionNav
        entries={groups.map(({ id, title, changed }) => ({ id, title, dirty: changed.length > 0 }))}
        drawn={count}
        drawAll={drawAll}
      />
      <div className={styles.sections}>
        {groups.slice(0, count).map(({ id, title, keys, changed }) => {
          const Part = special?.[id] ?? Section
          return (
            <Part
              key={id}
              id={id}
              title={title}
              settings={settings}
              keys={keys}
              changed={changed}
              options={options}
              edits={edits}
              bases={bases}
              edit={(key, text) => setDraft(draft => withEdit(draft, key, text, savedOf(key)))}
              discard={discarded => setDraft(draft => withoutEdits(draft, discarded))}
              settle={saved => setDraft(draft => withSaved(draft, saved))}
            />
          )
        })}
        {count < groups.length && <Skeleton rows={6} />}
      </div>
      <LeaveGuard dirty={groups.some(({ changed }) => changed.length > 0)} />
    </div>
  )
}

/** Whoever comes by the address of a section begins there; so does a reload. */
function useNamedSection() {
  const id = useLocation({ select: ({ hash }) => hash })
  useEffect(() => {
    if (id === '') return
    // Those that are not there yet have been asked for already: see below.
    const section = document.getElementById(id)
    section?.scrollIntoView({ block: 'start' })
    section?.focus({ preventScroll: true })
  }, [id])
}

/** As many sections as a screen has room for; drawing all of them takes several times as long. */
const AT_FIRST = 2

/** The others follow when these are painted, or when someone wants one of them. */
function useGrowing(all: number) {
  const [isWhole, setWhole] = useState(location.hash !== '')
  const [, startTransition] = useTransition()
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setWhole(true)), 0)
    return () => clearTimeout(timer)
  }, [])
  return { count: isWhole ? all : Math.min(all, AT_FIRST), drawAll: () => flushSync(() => setWhole(true)) }
}
