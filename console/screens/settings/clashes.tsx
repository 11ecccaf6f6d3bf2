import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useLanguage, useText } from '../../text.ts'
import { Callout } from '../../ui/content/callout.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { settingsText } from './catalogue.ts'
import { type Settings, savedText } from './draft.ts'
import type { Options } from './options-query.ts'
import styles from './settings.module.css'

interface ClashesProps {
  settings: Settings
  keys: readonly string[]
  options: Options
  saving: boolean
  save(): void
}

/** What somebody else has saved meanwhile: it can be looked at, and then given up or written over. */
export default function Clashes({ settings, keys, options, saving, save }: ClashesProps) {
  const t = useText(settingsText)
  const language = useLanguage()
  const [shown, setShown] = useState<string>()
  const nameOf = (key: string): string => settings[key]?.label[language] ?? key
  const setting = shown === undefined ? undefined : settings[shown]
  return (
    <div className={styles.clashes}>
      <Callout tone="warning">
        {t('clash')}
        <div className={styles.clashActions}>
          {keys.map(key => (
            <Button key={key} variant="default" size="xs" onClick={() => setShown(key)}>
              {t('clashTheirs', { name: nameOf(key) })}
            </Button>
          ))}
          <Button variant="default" size="xs" loading={saving} onClick={save}>
            {t('clashMine')}
          </Button>
        </div>
      </Callout>
      {shown !== undefined && setting && (
        <Dialog opened onClose={() => setShown(undefined)} title={nameOf(shown)} size={640}>
          <Textarea
            aria-label={nameOf(shown)}
            value={savedText(setting, options.values[shown])}
            readOnly
            autosize
            minRows={1}
            maxRows={20}
            data-autofocus
          />
        </Dialog>
      )}
    </div>
  )
}
