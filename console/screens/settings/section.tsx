import { Button } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, Suspense, useState } from 'react'
import type { SectionId } from '../../../contract/settings/sections.ts'
import { useLanguage, useText } from '../../text.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { isCovered, isSaveKey } from '../../ui/layers/use-layer.ts'
import { lazyPart } from '../../ui/page/lazy-part.ts'
import { settingsText } from './catalogue.ts'
import { faultOf, type SavedText, type Settings, savedText, type Texts } from './draft.ts'
import { Field } from './field.tsx'
import type { Options } from './options-query.ts'
import styles from './settings.module.css'
import { useSaveSection } from './use-save-section.ts'

const Clashes = lazyPart(() => import('./clashes.tsx'))

export interface SectionProps {
  id: SectionId
  title: string
  settings: Settings
  /** The settings that have a field here. */
  keys: readonly string[]
  changed: readonly string[]
  options: Options
  edits: Texts
  /** The revision that each edit began from: somebody else may save another meanwhile. */
  bases: Texts
  edit(key: string, text: string): void
  discard(keys: readonly string[]): void
  /** After saving: what was typed meanwhile stays. */
  settle(saved: readonly SavedText[]): void
  /** Stands before the fields, or instead of some; not inside their form. */
  before?: ReactNode
  /** Stands below, apart from what is saved. */
  after?: ReactNode
  bodyId?: string
}

/** Some related settings and the button that saves them. ⌘S saves the section that has the focus. */
export function Section(props: SectionProps) {
  const { id, title, settings, keys, changed, options, edits, bases, edit, discard, settle } = props
  const { before, after, bodyId } = props
  const t = useText(settingsText)
  const [refusals, setRefusals] = useState<Texts>({})
  const [clashes, setClashes] = useState<readonly string[]>([])
  const { save, saving, confirming, cancel } = useSaveSection({
    id,
    settings,
    changed,
    edits,
    bases,
    options,
    onSaved: settle,
    onRefused: (messages, edited) => {
      setRefusals(messages)
      setClashes(edited)
    },
  })
  const clashing = clashes.filter(key => changed.includes(key))
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSaveKey(event) || isCovered()) return
    event.preventDefault()
    save()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <section
      id={id}
      tabIndex={-1}
      className={styles.section}
      aria-labelledby={`${id}-title`}
      onKeyDown={onKeyDown}
    >
      <h2 id={`${id}-title`} className={styles.sectionTitle}>
        {title}
      </h2>
      <div id={bodyId}>
        {before && <div className={styles.before}>{before}</div>}
        <form onSubmit={onSubmit} noValidate autoComplete="off">
          {keys.length > 0 && (
            <Fields
              {...{ settings, keys, changed, options, edits, refusals }}
              edit={(key, text) => {
                setRefusals(({ [key]: _, ...others }) => others)
                edit(key, text)
              }}
            />
          )}
          {clashing.length > 0 && (
            <Suspense>
              <Clashes
                settings={settings}
                keys={clashing}
                options={options}
                saving={saving}
                save={() => save('over')}
              />
            </Suspense>
          )}
          <Footer title={title} changes={changed.length} saving={saving} discard={() => discard(changed)} />
        </form>
      </div>
      {after}
      <Confirm
        opened={confirming}
        title={t('passwordLoginTitle')}
        action={t('passwordLoginAction')}
        destructive
        onConfirm={() => save('confirmed')}
        onCancel={cancel}
      >
        {t('passwordLoginText')}
      </Confirm>
    </section>
  )
}

interface FieldsProps
  extends Pick<SectionProps, 'settings' | 'keys' | 'changed' | 'options' | 'edits' | 'edit'> {
  /** Why the server has not taken what was sent. */
  refusals: Texts
}

function Fields({ settings, keys, changed, options, edits, refusals, edit }: FieldsProps) {
  const language = useLanguage()
  return (
    <div className={styles.fields}>
      {keys.map(key => {
        const setting = settings[key]
        if (!setting) return null
        const text = edits[key] ?? savedText(setting, options.values[key])
        const fault = changed.includes(key) ? faultOf(setting, text, language) : undefined
        return (
          <Field
            key={key}
            name={key}
            setting={setting}
            text={text}
            isSet={options.secretsSet.has(key)}
            error={fault ?? refusals[key]}
            change={next => edit(key, next)}
          />
        )
      })}
    </div>
  )
}

interface FooterProps {
  title: string
  changes: number
  saving: boolean
  discard(): void
}

function Footer({ title, changes, saving, discard }: FooterProps) {
  const t = useText(settingsText)
  return (
    <div className={styles.sectionFooter}>
      {changes > 0 && (
        <>
          <span className={styles.dirty}>{t('changes', { count: changes })}</span>
          <Button variant="subtle" size="xs" onClick={discard}>
            {t('discard')}
          </Button>
        </>
      )}
      <Button
        size="xs"
        variant={changes > 0 ? 'filled' : 'default'}
        loading={saving}
        aria-label={t('saveSection', { section: title })}
        type="submit"
      >
        {t('action.save')}
      </Button>
    </div>
  )
}
