import { Button } from '@mantine/core'
import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { TextInput } from '../../ui/fields/fields.tsx'
import { readPresets, removePreset, type Settings, savePreset } from './ask/settings.ts'
import { playgroundText } from './models/catalogue.ts'
import styles from './side-panel.module.css'

interface PresetListProps {
  settings: Settings
  onApply(settings: Settings): void
}

/** Parameters under a name, kept in this browser. */
export function PresetList({ settings, onApply }: PresetListProps) {
  const t = useText(playgroundText)
  const shell = useText(shellText)
  const [presets, setPresets] = useState(readPresets)
  const [name, setName] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    setPresets(savePreset(presets, { ...settings, name: name.trim() }))
    setName('')
  }
  return (
    <section className={styles.presets} aria-label={t('presets.title')}>
      <h3>{t('presets.title')}</h3>
      {presets.length > 0 && (
        <ul>
          {presets.map(preset => (
            <li key={preset.name}>
              <button
                type="button"
                className={styles.apply}
                title={preset.models.join(' · ')}
                onClick={() => {
                  const { name: _, ...wanted } = preset
                  onApply(wanted)
                }}
              >
                {preset.name}
              </button>
              <button
                type="button"
                className={styles.drop}
                aria-label={t('presets.remove', { name: preset.name })}
                onClick={() => setPresets(removePreset(presets, preset.name))}
              >
                <X size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={save}>
        <TextInput
          size="xs"
          aria-label={t('presets.name')}
          placeholder={t('presets.name')}
          maxLength={60}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Button size="xs" variant="default" type="submit" disabled={name.trim() === ''}>
          {shell('action.save')}
        </Button>
      </form>
    </section>
  )
}
