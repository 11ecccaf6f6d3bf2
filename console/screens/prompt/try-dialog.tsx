import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { splitAtPlaces, variablesIn } from '../../../contract/prompt-text.ts'
import type { PromptVersion, PromptView } from '../../../contract/prompts.ts'
import { answersChats } from '../../clients/chat-models.ts'
import { useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import { NativeSelect, Textarea } from '../../ui/fields/fields.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { promptText } from './catalogue.ts'
import styles from './prompt.module.css'
import { PromptCode } from './prompt-code.tsx'
import { modelsQuery, promptQuery, versionQuery } from './prompts-query.ts'
import { roleWords } from './role-words.ts'
import { useTrial } from './use-trial.ts'
import { labelsOf } from './version-labels.tsx'

interface TryDialogProps {
  prompt: PromptView
  /** To begin with; the one in use where none is meant. */
  version: number | undefined
  close(): void
}

/** A prompt with values in the places of its variables: what comes of it, and how a program says the same. */
export default function TryDialog({ prompt, version: first, close }: TryDialogProps) {
  const t = useText(promptText)
  const [number, setNumber] = useState(first ?? prompt.version)
  const { data: whole } = useQuery(promptQuery(prompt.id))
  const { data: version, error, refetch } = useQuery(versionQuery(prompt.id, number))
  const numbers = whole?.versions.map(one => one.version) ?? [number]
  const choice = (
    <NativeSelect
      label={t('version')}
      data={numbers.map(one => ({
        value: String(one),
        label: [one, ...labelsOf(whole?.labels ?? prompt.labels, one, whole?.versions[0]?.version)].join(
          ' · ',
        ),
      }))}
      value={String(number)}
      onChange={event => setNumber(Number(event.currentTarget.value))}
    />
  )
  return (
    <Dialog opened onClose={close} title={t('tryTitle', { name: prompt.name })} size={720}>
      {version ? (
        <Trying key={number} prompt={prompt} version={version} choice={choice} />
      ) : error ? (
        <LoadFailure error={error} retry={() => refetch()} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Dialog>
  )
}

interface TryingProps {
  prompt: PromptView
  version: PromptVersion
  /** Of the version. */
  choice: ReactNode
}

function Trying({ prompt, version, choice }: TryingProps) {
  const t = useText(promptText)
  const names = variablesIn(version.messages.map(({ content }) => content))
  const [values, setValues] = useState<Record<string, string>>({})
  const [message, setMessage] = useState('')
  const [model, setModel] = useState('')
  const { data: models = [] } = useQuery(modelsQuery)
  const { run, tried, error, isPending } = useTrial()
  const variables = Object.fromEntries(names.map(name => [name, values[name] ?? '']))
  const wantsMessage = version.messages.at(-1)?.role !== 'user'
  const isReady = (version.model !== '' || model !== '') && (!wantsMessage || message !== '')
  return (
    <div className={styles.trial}>
      <div className={styles.pair}>
        {choice}
        <SelectField
          label={t('model')}
          clearable
          placeholder={version.model}
          data={models.filter(answersChats)}
          value={model || null}
          onChange={chosen => setModel(chosen ?? '')}
        />
      </div>
      {names.length === 0 && <p className={styles.help}>{t('noVariables')}</p>}
      {names.map(name => (
        <Textarea
          key={name}
          label={<code>{name}</code>}
          autosize
          minRows={1}
          maxRows={8}
          value={values[name] ?? ''}
          onChange={event => {
            const { value } = event.currentTarget
            setValues(before => ({ ...before, [name]: value }))
          }}
        />
      ))}
      {wantsMessage && (
        <Textarea
          label={t('ownMessage')}
          autosize
          minRows={1}
          maxRows={8}
          value={message}
          onChange={event => setMessage(event.currentTarget.value)}
        />
      )}
      <div className={styles.bar}>
        <Button
          size="xs"
          loading={isPending}
          disabled={!isReady}
          onClick={() =>
            run({ prompt: { id: prompt.name, version: version.version, variables }, model, message })
          }
        >
          {t('run')}
        </Button>
        <span className={styles.help}>{t('runHelp')}</span>
      </div>
      {error && <Callout tone="error">{error}</Callout>}
      {tried && (
        <section className={styles.answer} aria-label={t('answer')} aria-live="polite">
          <p className={styles.text}>{tried.text}</p>
          <p className={styles.help}>{t('took', { ...tried })}</p>
        </section>
      )}
      <details className={styles.details}>
        <summary>{t('seen')}</summary>
        {version.messages.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message is known by its place
          <div key={at} className={styles.said}>
            <b>{t(roleWords[one.role])}</b>
            <Filled text={one.content} values={variables} />
          </div>
        ))}
      </details>
      <PromptCode
        prompt={prompt}
        version={version}
        variables={variables}
        model={model}
        message={wantsMessage ? message || '…' : ''}
      />
    </div>
  )
}

/** The places of variables stand out, with what is put there or their names. */
function Filled({ text, values }: { text: string; values: Readonly<Record<string, string>> }) {
  return (
    <p className={styles.text}>
      {splitAtPlaces(text).map((piece, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is known by its place
        at % 2 === 0 ? piece : <mark key={at}>{values[piece] || `{{${piece}}}`}</mark>,
      )}
    </p>
  )
}
