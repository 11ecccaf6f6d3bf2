import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import { useText } from '../../../text.ts'
import { copyText } from '../../../ui/content/copy.ts'
import { SelectField } from '../../../ui/fields/choice-fields.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { QuickChoices } from '../../../ui/fields/quick-choices.tsx'
import { toast } from '../../../ui/layers/toast.ts'
import { addNames, readCustomNames } from './add-names.ts'
import { formText } from './catalogue.ts'
import styles from './form.module.css'
import { builtInModelsQuery, modelsByTypeQuery } from './models-query.ts'
import { UnpricedNote } from './unpriced-note.tsx'

interface ModelsFieldProps {
  id: string
  label: string
  description?: string
  models: readonly string[]
  /** Whose models are related; left out where there is no single type. */
  type?: number
  error?: string | undefined
  /** Asks the upstream; left out where there is none to ask. */
  fetchModels?(): void
  isFetching?: boolean
  /** Stays the same function: thousands of names are not gone through with every letter typed elsewhere. */
  onChange(models: string[]): void
}

/** So many are shown at first. */
const SHOWN = 40

export const ModelsField = memo(function ModelsField(props: ModelsFieldProps) {
  const { id, label, description, models, type, error, fetchModels, isFetching, onChange } = props
  const t = useText(formText)
  const builtIn = useQuery(builtInModelsQuery).data
  const { data: byType, isPending } = useQuery(modelsByTypeQuery)
  const [search, setSearch] = useState('')
  const free = useMemo(() => {
    const chosen = new Set(models)
    return (builtIn ?? []).filter(name => !chosen.has(name))
  }, [builtIn, models])

  const add = (names: readonly string[]) => {
    const next = addNames(models, names)
    toast.success(t('modelsAdded', { count: next.length - models.length }))
    onChange(next)
  }
  const related = type === undefined ? [] : (byType?.[String(type)] ?? [])
  const tools = [
    ...(type === undefined
      ? []
      : [
          {
            label: t('relatedModels'),
            choose: () => (related.length === 0 ? toast.warning(t('noneRelated')) : add(related)),
          },
        ]),
    { label: t('allModels'), choose: () => add(builtIn ?? []) },
    ...(fetchModels ? [{ label: t('fetchModels'), choose: fetchModels, active: isFetching === true }] : []),
    { label: t('copyModels'), choose: () => void copyText(models.join(',')) },
    { label: t('clearModels'), choose: () => onChange([]) },
  ]
  return (
    <div>
      <SelectField
        id={id}
        label={
          <>
            {label}
            {models.length > 0 && (
              <span className={styles.count}>{t('modelsCount', { count: models.length })}</span>
            )}
          </>
        }
        description={description}
        required={type !== undefined}
        placeholder={t('modelAdd')}
        data={free}
        value={null}
        searchValue={search}
        onSearchChange={setSearch}
        error={error}
        onChange={name => {
          setSearch('')
          if (name !== null) onChange(addNames(models, [name]))
        }}
      />
      {type !== undefined && isPending && models.length === 0 ? (
        <div className={styles.modelsRoom} data-loading />
      ) : (
        <Chosen models={models} onChange={onChange} />
      )}
      <UnpricedNote models={models} />
      <QuickChoices label={label} choices={tools} />
      <CustomNames models={models} onChange={onChange} />
    </div>
  )
})

function Chosen({ models, onChange }: Pick<ModelsFieldProps, 'models' | 'onChange'>) {
  const t = useText(formText)
  const [isWhole, setWhole] = useState(false)
  if (models.length === 0) return <p className={styles.noModels}>{t('modelsNone')}</p>
  const shown = isWhole ? models : models.slice(0, SHOWN)
  return (
    <div className={styles.chosen}>
      {shown.map(name => (
        <span key={name} className={styles.model}>
          <span className={styles.modelName}>{name}</span>
          <button
            type="button"
            className={styles.remove}
            aria-label={t('modelRemove', { name })}
            onClick={() => onChange(models.filter(one => one !== name))}
          >
            <X size={12} aria-hidden />
          </button>
        </span>
      ))}
      {models.length > SHOWN && (
        <button type="button" className={styles.all} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('showFewer') : t('showAll', { count: models.length })}
        </button>
      )}
    </div>
  )
}

function CustomNames({ models, onChange }: Pick<ModelsFieldProps, 'models' | 'onChange'>) {
  const t = useText(formText)
  const [text, setText] = useState('')
  const [isDuplicate, setDuplicate] = useState(false)
  const add = () => {
    const names = readCustomNames(text, models)
    setDuplicate(names === undefined)
    if (!names || names.length === 0) return
    onChange(addNames(models, names))
    setText('')
  }
  return (
    <div className={styles.custom}>
      <TextInput
        size="xs"
        aria-label={t('customModel')}
        placeholder={t('customModel')}
        spellCheck={false}
        value={text}
        error={isDuplicate ? t('duplicate') : undefined}
        onChange={event => {
          setText(event.currentTarget.value)
          setDuplicate(false)
        }}
        onPaste={event => {
          const pasted = event.clipboardData.getData('text').trim()
          if (!/[\r\n]/.test(pasted)) return
          // A field of one line would put a list of lines together to a single name.
          event.preventDefault()
          const field = event.currentTarget
          const { selectionStart: from, selectionEnd: to } = field
          field.setRangeText(pasted.replace(/\s*[\r\n]+\s*/g, ','), from ?? 0, to ?? 0, 'end')
          setText(field.value)
          setDuplicate(false)
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          // Enter would save the whole form.
          event.preventDefault()
          add()
        }}
      />
      <Button size="xs" variant="default" onClick={add}>
        {t('fillIn')}
      </Button>
    </div>
  )
}
