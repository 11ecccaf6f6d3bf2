import {
  type KeyPlace,
  keyPlaces,
  passMethods,
  usualKeyNames,
  usualPrefixOf,
} from '../../../../contract/pass-through.ts'
import { useText } from '../../../text.ts'
import { MultiSelectField, SelectField, TagsField } from '../../../ui/fields/choice-fields.tsx'
import { FieldGroup } from '../../../ui/fields/field-group.tsx'
import { TextInput } from '../../../ui/fields/fields.tsx'
import { SwitchField } from '../../../ui/fields/switch-field.tsx'
import { formText } from './catalogue.ts'
import styles from './form.module.css'
import { type PassDraft, passFaultIn, passIn, withPass } from './pass-setting.ts'
import { readJsonObject } from './setting-text.ts'
import { UnpricedNote } from './unpriced-note.tsx'

interface PassFieldsProps {
  setting: string
  onChange(setting: string): void
}

const placeWords = {
  header: 'passKey.header',
  query: 'passKey.query',
  none: 'passKey.none',
} as const satisfies Record<KeyPlace, string>

/** What passes through to an API of any kind, and how the key is sent there. */
export function PassFields({ setting, onChange }: PassFieldsProps) {
  const t = useText(formText)
  const pass = passIn(setting)
  const fault = passFaultIn(setting)
  const isOff = !readJsonObject(setting)
  const change = (changes: Partial<PassDraft>) => onChange(withPass(setting, changes))
  const errorOf = (member: string) => (fault === member ? t('passWrong') : undefined)
  const shared = { spellCheck: false, autoComplete: 'off', disabled: isOff }
  const usualName = usualKeyNames[pass.key_in]
  const prefix = usualPrefixOf(pass.key_name || usualName)
  return (
    <FieldGroup legend={t('passing')}>
      <div className={styles.fields}>
        <div className={styles.three}>
          <SelectField
            id="channel-pass-key-in"
            label={t('passKeyIn')}
            searchable={false}
            disabled={isOff}
            data={keyPlaces.map(place => ({ value: place, label: t(placeWords[place]) }))}
            value={pass.key_in}
            onChange={place => {
              const chosen = keyPlaces.find(one => one === place)
              if (chosen) change({ key_in: chosen, key_name: '', key_prefix: undefined })
            }}
          />
          {pass.key_in !== 'none' && (
            <TextInput
              id="channel-pass-key-name"
              label={t(pass.key_in === 'query' ? 'passParameter' : 'passHeader')}
              placeholder={usualName}
              {...shared}
              value={pass.key_name}
              error={errorOf('key_name')}
              onChange={event => change({ key_name: event.currentTarget.value })}
            />
          )}
          {pass.key_in === 'header' && (
            <TextInput
              id="channel-pass-key-prefix"
              label={t('passPrefix')}
              {...shared}
              value={pass.key_prefix ?? prefix}
              error={errorOf('key_prefix')}
              onChange={({ currentTarget: { value } }) =>
                change({ key_prefix: value === prefix ? undefined : value })
              }
            />
          )}
        </div>
        <MultiSelectField
          id="channel-pass-methods"
          label={t('passMethods')}
          // They are few; room for words beside all of them would be a line of its own.
          searchable={false}
          disabled={isOff}
          data={[...passMethods]}
          value={pass.methods}
          error={errorOf('methods')}
          onChange={chosen => change({ methods: passMethods.filter(method => chosen.includes(method)) })}
        />
        <TagsField
          id="channel-pass-paths"
          label={t('passPaths')}
          description={t('passPathsHelp')}
          placeholder={pass.paths.length === 0 ? '/v1/' : ''}
          disabled={isOff}
          value={pass.paths}
          error={errorOf('paths')}
          onChange={paths => change({ paths })}
        />
        <SwitchField
          label={t('passQuery')}
          disabled={isOff}
          checked={pass.query}
          onChange={event => change({ query: event.currentTarget.checked })}
        />
        <TextInput
          id="channel-pass-test"
          label={t('passTest')}
          description={t('passTestHelp')}
          placeholder="/health"
          {...shared}
          value={pass.test_path}
          error={errorOf('test_path')}
          onChange={event => change({ test_path: event.currentTarget.value })}
        />
      </div>
    </FieldGroup>
  )
}

interface ServicesFieldProps {
  services: string[]
  error: string | undefined
  onChange(services: string[]): void
}

/** By these names callers find the API, and they are what has a price. */
export function ServicesField({ services, error, onChange }: ServicesFieldProps) {
  const t = useText(formText)
  return (
    <div>
      <TagsField
        id="channel-models"
        label={t('services')}
        description={t('servicesHelp', { path: '/pass/{name}/…' })}
        required
        placeholder={services.length === 0 ? 'my-search' : ''}
        value={services}
        error={error}
        onChange={onChange}
      />
      <UnpricedNote models={services} />
    </div>
  )
}
