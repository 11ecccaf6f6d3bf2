import { useText } from '../../../text.ts'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { SwitchField } from '../../../ui/fields/switch-field.tsx'
import { hidesPassword } from './address-words.ts'
import { formText } from './catalogue.ts'
import { CostField } from './cost-field.tsx'
import { JsonField } from './json-field.tsx'
import { proxyIn, readJsonObject, withMember } from './setting-text.ts'

interface SettingFieldsProps {
  type: number
  setting: string
  error: string | undefined
  onChange(text: string): void
}

const CUSTOM = 8
const examples: Readonly<Record<string, unknown>> = {
  param_override: { temperature: 0.7 },
  header_override: { 'X-Title': 'gateway' },
  system_prompt: 'You are a helpful assistant.',
}

/** Proxy, cost and the switches have fields of their own; they and the text show the same settings. */
export function SettingFields({ type, setting, error, onChange }: SettingFieldsProps) {
  const t = useText(formText)
  const read = readJsonObject(setting)
  const isOfCost = error?.startsWith('cost_ratio')
  return (
    <>
      <CostField setting={setting} error={isOfCost ? error : undefined} onChange={onChange} />
      <TextInput
        id="channel-proxy"
        label={t('proxy')}
        description={t(hidesPassword(proxyIn(setting)) ? 'addressKept' : 'proxyHelp')}
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        disabled={!read}
        value={proxyIn(setting)}
        onChange={event => onChange(withMember(setting, 'proxy', event.currentTarget.value))}
      />
      {type === CUSTOM && (
        <SwitchField
          label={t('forceFormat')}
          description={t('forceFormatHelp')}
          disabled={!read}
          checked={read?.force_format === true}
          onChange={event => onChange(withMember(setting, 'force_format', event.currentTarget.checked))}
        />
      )}
      <SwitchField
        label={t('accountData')}
        description={t('accountDataHelp')}
        disabled={!read}
        checked={read?.allow_account_data === true}
        onChange={event => onChange(withMember(setting, 'allow_account_data', event.currentTarget.checked))}
      />
      <JsonField
        id="channel-setting"
        label={t('setting')}
        description={t('settingHelp')}
        value={setting}
        error={isOfCost ? undefined : error}
        templates={Object.entries(examples).map(([name, example]) => ({
          label: name,
          text: value => withMember(value, name, example),
        }))}
        onChange={onChange}
      />
    </>
  )
}
