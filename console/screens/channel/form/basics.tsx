import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { needsAddress } from '../../../../contract/channel-address.ts'
import { type ChannelType, channelTypeOf, channelTypes } from '../../../../contract/channel-types.ts'
import type { ChannelView } from '../../../../contract/channel-view.ts'
import { groupsQuery } from '../../../groups-query.ts'
import { useLanguage, useText } from '../../../text.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { MultiSelectField, SelectField } from '../../../ui/fields/choice-fields.tsx'
import { Textarea, TextInput } from '../../../ui/fields/fields.tsx'
import { QuickChoices } from '../../../ui/fields/quick-choices.tsx'
import type { Draft } from '../../../ui/layers/use-draft.ts'
import { addressWords, hidesPassword } from './address-words.ts'
import { formText } from './catalogue.ts'
import type { ChannelDraft } from './channel-draft.ts'
import { KeyField } from './key-field.tsx'
import { ModelsField } from './models-field.tsx'
import { PassFields, ServicesField } from './pass-fields.tsx'
import { useFetchModels } from './use-fetch-models.ts'
import { usePreset } from './use-preset.ts'
import { useStableSet } from './use-stable-set.ts'

export interface FieldsProps {
  draft: Draft<ChannelDraft>
  /** Undefined for a new one. */
  channel: ChannelView | undefined
  fault(field: keyof ChannelDraft): string | undefined
}

export function Basics({ draft, channel, fault }: FieldsProps) {
  const t = useText(formText)
  const language = useLanguage()
  const { values, set } = draft
  const groups = useQuery(groupsQuery).data ?? []
  const presetOf = usePreset()
  const kind = channelTypeOf(values.type)
  const types = useMemo(
    () =>
      channelTypes.map(type => ({
        value: String(type.id),
        label: isGone(type) ? t('retired', { name: type.name[language] }) : type.name[language],
      })),
    [t, language],
  )
  const setModels = useStableSet<ChannelDraft, 'models'>(set, 'models')
  const { fetchModels, isFetching } = useFetchModels(draft, channel)

  const chooseType = (next: number) => {
    set('type', next)
    const isPreset = values.models.length === 0 || values.models.join() === presetOf(values.type).join()
    if (isPreset) set('models', presetOf(next))
  }
  return (
    <>
      <SelectField
        id="channel-type"
        label={t('type')}
        required
        data={types}
        value={String(values.type)}
        onChange={type => type !== null && chooseType(Number(type))}
      />
      {kind?.retired && <Callout tone="warning">{kind.retired[language]}</Callout>}
      <TextInput
        id="channel-name"
        label={t('name')}
        required
        maxLength={255}
        data-autofocus
        value={values.name}
        error={fault('name')}
        onChange={event => set('name', event.currentTarget.value)}
      />
      <Address draft={draft} error={fault('base_url')} />
      <Other draft={draft} error={fault('other')} />
      <KeyField draft={draft} channel={channel} error={fault('key')} />
      {kind?.passes && <PassFields setting={values.setting} onChange={text => set('setting', text)} />}
      <MultiSelectField
        id="channel-groups"
        label={t('group')}
        description={t('groupsHelp')}
        required
        data={[...new Set([...groups, ...values.groups])]}
        value={values.groups}
        error={fault('groups')}
        onChange={chosen => set('groups', chosen)}
      />
      {kind?.passes ? (
        <ServicesField services={values.models} error={fault('models')} onChange={setModels} />
      ) : (
        <ModelsField
          id="channel-models"
          label={t('models')}
          models={values.models}
          type={values.type}
          error={fault('models')}
          fetchModels={fetchModels}
          isFetching={isFetching}
          onChange={setModels}
        />
      )}
    </>
  )
}

/** A vendor that still takes another form of key has only switched its old way off. */
function isGone({ retired, keyForms = [] }: ChannelType): boolean {
  return retired !== undefined && keyForms.length < 2
}

function Address({
  draft: { values, set },
  error,
}: {
  draft: Draft<ChannelDraft>
  error: string | undefined
}) {
  const t = useText(formText)
  const { label, placeholder, help } = addressWords(values.type, t)
  return (
    <TextInput
      id="channel-base_url"
      label={label}
      description={hidesPassword(values.base_url) ? t('addressKept') : help}
      placeholder={placeholder}
      required={needsAddress(values.type)}
      inputMode="url"
      spellCheck={false}
      autoComplete="off"
      value={values.base_url}
      error={error}
      onChange={event => set('base_url', event.currentTarget.value)}
    />
  )
}

/** Vertex AI has not every model in every region. */
const regions = JSON.stringify({ default: 'us-central1', 'claude-sonnet-4-6': 'europe-west1' }, null, 2)

/** The field whose meaning depends on the type: an API version, a region, an account. */
function Other({ draft: { values, set }, error }: { draft: Draft<ChannelDraft>; error: string | undefined }) {
  const t = useText(formText)
  const language = useLanguage()
  const kind = channelTypeOf(values.type)
  if (!kind?.other) return null
  const [label = '', ...rest] = kind.other[language].split(/，(.*)|, (.*)/).flatMap(part => part || [])
  const shared = {
    id: 'channel-other',
    label,
    description: rest[0],
    placeholder: kind.otherDefault && t('otherDefault', { value: kind.otherDefault }),
    spellCheck: false,
    value: values.other,
    error,
  }
  if (!kind.wholeKey)
    return (
      <TextInput
        {...shared}
        {...(values.type === 39 ? { placeholder: t('account') } : {})}
        onChange={event => set('other', event.currentTarget.value)}
      />
    )
  return (
    <div>
      <Textarea
        {...shared}
        required
        autosize
        minRows={1}
        maxRows={8}
        onChange={event => set('other', event.currentTarget.value)}
      />
      <QuickChoices label={label} choices={[{ label: t('template'), choose: () => set('other', regions) }]} />
    </div>
  )
}
