import { NativeSelect, Switch, TagsInput, Textarea } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import type { Setting } from '../../../contract/settings/define.ts'
import { useLanguage } from '../../text.ts'
import { TextInput } from '../../ui/fields/fields.tsx'
import { QuotaField } from '../../ui/fields/quota-field.tsx'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import { HtmlField } from './html-field.tsx'
import { SecretField } from './secret-field.tsx'
import styles from './settings.module.css'

interface FieldProps {
  name: string
  setting: Setting<unknown>
  text: string
  /** For secrets: whether the server has one. */
  isSet: boolean
  error: string | undefined
  change(text: string): void
}

/** What is typed in a line: which keys a phone shows for it. */
const lines = {
  integer: { inputMode: 'numeric' },
  decimal: { inputMode: 'decimal' },
  text: {},
  url: { inputMode: 'url', placeholder: 'https://' },
} as const

/** One setting, edited as its kind asks for. What goes in and out is always the text that travels. */
export function Field({ name, setting, text, isSet, error, change }: FieldProps) {
  const language = useLanguage()
  const named = { name, label: setting.label[language], description: setting.help?.[language], error }
  const shared = { ...named, autoComplete: 'off', 'data-kind': setting.kind }
  const typed = {
    ...shared,
    value: text,
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  }
  switch (setting.kind) {
    case 'flag':
      return (
        <Switch
          {...shared}
          withThumbIndicator={false}
          className={styles.flag}
          checked={text === 'true'}
          onChange={event => change(String(event.currentTarget.checked))}
        />
      )
    case 'integer':
    case 'decimal':
    case 'text':
    case 'url':
      return <TextInput {...typed} {...lines[setting.kind]} className={styles.short} />
    case 'quota':
      return (
        <div className={styles.short}>
          <QuotaField {...named} bare digits={4} value={text} onChange={change} />
        </div>
      )
    case 'secret':
      return <SecretField {...named} value={text} isSet={isSet} onChange={typed.onChange} />
    case 'choice':
      return (
        <NativeSelect
          {...typed}
          className={styles.short}
          data={setting.choices?.map(({ value, label }) => ({ value, label: label[language] })) ?? []}
        />
      )
    case 'list':
      return (
        <TagsInput
          {...shared}
          value={text === '' ? [] : text.split(',')}
          splitChars={[',', '，', ' ', '\n']}
          acceptValueOnBlur
          comboboxProps={{ shadow: 'md' }}
          onChange={items => change(items.join(','))}
        />
      )
    case 'html':
      return <HtmlField {...typed} />
    case 'json':
      return <JsonEditor {...named} value={text} onChange={change} />
    default:
      return <Textarea {...typed} spellCheck autosize minRows={3} maxRows={16} />
  }
}
