import { ActionIcon, Button } from '@mantine/core'
import { Plus, RotateCcw, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { PricedModel } from '../../../contract/pricing.ts'
import { describeGroup } from '../../describe-group.ts'
import { formatRatio } from '../../format.ts'
import { shellText } from '../../locales/catalogue.ts'
import { formatPrice, isPerCall, priceOf } from '../../price-of.ts'
import { withAside } from '../../punctuation.ts'
import { useText } from '../../text.ts'
import { useLedgerWords } from '../../ui/amounts/ledger-words.ts'
import { SelectField } from '../../ui/fields/choice-fields.tsx'
import { NativeSelect, Textarea, TextInput } from '../../ui/fields/fields.tsx'
import {
  efforts,
  initialSettings,
  readEffort,
  readMaxTokens,
  readTemperature,
  readTopP,
  type Settings,
} from './ask/settings.ts'
import { Dial } from './dial.tsx'
import { playgroundText } from './models/catalogue.ts'
import { showPrice } from './models/show-price.ts'
import { PresetList } from './preset-list.tsx'
import styles from './side-panel.module.css'
import { MOST_COLUMNS } from './talk/conversation.ts'

interface SidePanelProps {
  settings: Settings
  groups: Readonly<Record<string, { readonly ratio: number; readonly desc: string }>>
  /** Of the chosen group. */
  models: readonly string[]
  prices: ReadonlyMap<string, PricedModel>
  /** On small screens it lies over the chat. */
  open: boolean
  onClose(): void
  onChange(settings: Settings): void
  onRemoveModel(column: number): void
}

export function SidePanel(props: SidePanelProps) {
  const { settings, groups, open, onClose, onChange } = props
  const t = useText(playgroundText)
  const shell = useText(shellText)
  const closer = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (open) closer.current?.focus()
  }, [open])
  const set = (change: Partial<Settings>) => onChange({ ...settings, ...change })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) onClose()
  }
  return (
    <aside className={styles.panel} data-open={open} aria-label={t('panel.title')} onKeyDown={onKeyDown}>
      <div className={styles.top}>
        <h2>{t('panel.title')}</h2>
        <ActionIcon
          ref={closer}
          className={styles.close}
          variant="subtle"
          size={32}
          aria-label={shell('action.close')}
          onClick={onClose}
        >
          <X size={18} aria-hidden />
        </ActionIcon>
      </div>
      <SelectField
        size="xs"
        label={t('group')}
        data={Object.entries(groups).map(([name, { ratio, desc }]) => ({
          value: name,
          label: withAside(
            [name, describeGroup(name, desc)].filter(Boolean).join(' · '),
            `${name === 'auto' ? '≤ ' : ''}${formatRatio(ratio)}×`,
          ),
        }))}
        value={settings.group}
        onChange={group => group !== null && set({ group })}
      />
      <Models {...props} />
      <Dial
        label={t('temperature.label')}
        step={0.1}
        value={settings.temperature}
        onChange={value => set({ temperature: readTemperature(value) })}
      />
      <Dial
        label="Top P"
        step={0.05}
        value={settings.topP}
        onChange={value => set({ topP: readTopP(value) })}
      />
      <div className={styles.pair}>
        <TextInput
          size="xs"
          label={t('maxTokens.label')}
          inputMode="numeric"
          placeholder={t('unset')}
          value={settings.maxTokens === 0 ? '' : String(settings.maxTokens)}
          onChange={event => set({ maxTokens: readMaxTokens(event.currentTarget.value) })}
        />
        <NativeSelect
          size="xs"
          label={t('effort.label')}
          data={[{ value: '', label: t('unset') }, ...efforts]}
          value={settings.effort}
          onChange={event => set({ effort: readEffort(event.currentTarget.value) })}
        />
      </div>
      <Textarea
        size="xs"
        label={t('system.label')}
        rows={5}
        resize="vertical"
        value={settings.system}
        onChange={event => set({ system: event.currentTarget.value })}
      />
      <PresetList settings={settings} onApply={onChange} />
      <Button
        size="xs"
        variant="subtle"
        className={styles.reset}
        leftSection={<RotateCcw size={14} aria-hidden />}
        onClick={() => onChange({ ...initialSettings, models: settings.models, group: settings.group })}
      >
        {t('panel.reset')}
      </Button>
    </aside>
  )
}

function Models({ settings, groups, models, prices, onChange, onRemoveModel }: SidePanelProps) {
  const t = useText(playgroundText)
  const ledger = useLedgerWords()
  const ratio = groups[settings.group]?.ratio ?? 1
  const priceText = (model: string) => showPrice(prices.get(model), ratio)
  const describe = (model: string) => {
    const price = prices.get(model)
    if (!price) return undefined
    if (isPerCall(price)) return `${ledger('price')} ${showPrice(price, ratio)}`
    const { prompt, completion } = priceOf(price, ratio)
    return t('model.price', { prompt: formatPrice(prompt), completion: formatPrice(completion) })
  }
  const replace = (column: number, model: string) =>
    onChange({ ...settings, models: settings.models.map((one, at) => (at === column ? model : one)) })
  const next = models.find(model => !settings.models.includes(model)) ?? settings.models[0]
  return (
    <div className={styles.models}>
      {settings.models.map((model, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <div key={column} className={styles.model}>
          <SelectField
            size="xs"
            className={styles.grow}
            label={settings.models.length > 1 ? t('model.numbered', { number: column + 1 }) : t('model')}
            data={models.includes(model) ? models : [model, ...models]}
            comboboxProps={{ shadow: 'md', width: 340, position: 'bottom-end' }}
            renderOption={({ option }) => (
              <span className={styles.option}>
                <span>{option.value}</span>
                <span className={styles.price}>{priceText(option.value)}</span>
              </span>
            )}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={describe(model)}
            value={model}
            error={models.includes(model) ? undefined : t('model.notInGroup')}
            onChange={chosen => chosen !== null && replace(column, chosen)}
          />
          {settings.models.length > 1 && (
            <ActionIcon
              variant="subtle"
              size={32}
              className={styles.remove}
              aria-label={t('model.removeNumbered', { number: column + 1 })}
              onClick={() => onRemoveModel(column)}
            >
              <X size={16} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      {settings.models.length < MOST_COLUMNS && next !== undefined && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => onChange({ ...settings, models: [...settings.models, next] })}
        >
          {t('model.compare')}
        </Button>
      )}
    </div>
  )
}
