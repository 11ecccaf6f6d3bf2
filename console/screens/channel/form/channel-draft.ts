import { callIn, needsAddress } from '../../../../contract/channel-address.ts'
import type { ChannelFields } from '../../../../contract/channel-fields.ts'
import { unsendableIn } from '../../../../contract/channel-key.ts'
import { type ChannelType, channelTypeOf } from '../../../../contract/channel-types.ts'
import type { ChannelView } from '../../../../contract/channel-view.ts'
import { codingPlans } from '../../../../contract/coding-plans.ts'
import { namesIn } from '../rows.ts'
import { passFaultIn } from './pass-setting.ts'
import { proxyIn, readJsonObject } from './setting-text.ts'

/** A channel as its form has it: numbers as typed, lists as lists. */
export interface ChannelDraft {
  type: number
  name: string
  groups: string[]
  models: string[]
  key: string
  /** One key per line, and a channel for each. */
  isBatch: boolean
  /** All these keys in one channel instead. */
  isTogether: boolean
  base_url: string
  other: string
  openai_organization: string
  test_model: string
  model_mapping: string
  status_code_mapping: string
  setting: string
  tag: string
  priority: string
  weight: string
  auto_ban: boolean
  rpm: string
  tpm: string
  concurrency: string
}

export const newChannel: ChannelDraft = {
  type: 1,
  name: '',
  groups: ['default'],
  models: [],
  key: '',
  isBatch: false,
  isTogether: false,
  base_url: '',
  other: '',
  openai_organization: '',
  test_model: '',
  model_mapping: '',
  status_code_mapping: '',
  setting: '',
  tag: '',
  priority: '0',
  weight: '0',
  auto_ban: true,
  rpm: '0',
  tpm: '0',
  concurrency: '0',
}

export function draftOf(channel: ChannelView): ChannelDraft {
  const { type, name, base_url, other, model_mapping, status_code_mapping, setting } = channel
  return {
    ...newChannel,
    ...{ type, name, base_url, other, model_mapping, status_code_mapping, setting },
    groups: namesIn(channel.group),
    models: namesIn(channel.models),
    openai_organization: channel.openai_organization ?? '',
    test_model: channel.test_model ?? '',
    tag: channel.tag ?? '',
    priority: String(channel.priority),
    weight: String(channel.weight),
    auto_ban: channel.auto_ban !== 0,
    rpm: String(channel.rpm),
    tpm: String(channel.tpm),
    concurrency: String(channel.concurrency),
  }
}

const keyFields = ['key', 'isBatch', 'isTogether'] as const
type Field = Exclude<keyof ChannelDraft, (typeof keyFields)[number]>

const written: { readonly [F in Field]: (draft: ChannelDraft) => ChannelFields } = {
  type: ({ type }) => ({ type }),
  name: ({ name }) => ({ name: name.trim() }),
  groups: ({ groups }) => ({ group: groups.join(',') }),
  models: ({ models }) => ({ models: models.join(',') }),
  base_url: ({ base_url }) => ({ base_url: base_url.trim().replace(/\/+$/, '') }),
  // Blank would leave these two as they were.
  other: ({ other }) => (other.trim() === '' ? { clear: ['other'] } : { other: other.trim() }),
  setting: ({ setting }) => ({ setting: setting.trim() || '{}' }),
  openai_organization: draft => ({ openai_organization: draft.openai_organization.trim() }),
  test_model: ({ test_model }) => ({ test_model: test_model.trim() }),
  model_mapping: ({ model_mapping }) => ({ model_mapping: model_mapping.trim() }),
  status_code_mapping: draft => ({ status_code_mapping: draft.status_code_mapping.trim() }),
  tag: ({ tag }) => ({ tag: tag.trim() }),
  priority: ({ priority }) => ({ priority: Number(priority) }),
  weight: ({ weight }) => ({ weight: Number(weight) }),
  auto_ban: ({ auto_ban }) => ({ auto_ban: auto_ban ? 1 : 0 }),
  rpm: ({ rpm }) => ({ rpm: Number(rpm) }),
  tpm: ({ tpm }) => ({ tpm: Number(tpm) }),
  concurrency: ({ concurrency }) => ({ concurrency: Number(concurrency) }),
}

/** What travels: of a known channel only what was changed, so that nothing else is overwritten. */
export function fieldsOf(draft: ChannelDraft, isSent: (field: Field) => boolean): ChannelFields {
  const names = (Object.keys(written) as Field[]).filter(isSent)
  const fields: ChannelFields = Object.assign({}, ...names.map(name => written[name](draft)))
  return draft.key.trim() === '' ? fields : { ...fields, key: draft.key.trim() }
}

export interface Fault {
  readonly word: FaultWord
  readonly values?: Readonly<Record<string, string>>
}
type FaultWord =
  | 'incomplete'
  | 'nameMissing'
  | 'keyMissing'
  | 'keyFormat'
  | 'keyAgain'
  | 'keyLines'
  | 'keySign'
  | 'noModels'
  | 'noGroups'
  | 'addressWrong'
  | 'addressCall'
  | 'addressMissing'
  | 'regionBlank'
  | 'mappingWrong'
  | 'statusCodesWrong'
  | 'settingWrong'
  | 'passWrong'
  | 'priorityWrong'
  | 'weightWrong'
  | 'limitWrong'
export type Faults = Partial<Record<keyof ChannelDraft, Fault>>

interface Known {
  /** Undefined for a new one. */
  readonly before: ChannelView | undefined
  readonly isRoot: boolean
}

const VERTEX = 41

export function faultsOf(draft: ChannelDraft, known: Known): Faults {
  const { type, other } = draft
  const isWhole = (text: string) => /^\d{1,9}$/.test(text.trim())
  const all: { readonly [F in keyof ChannelDraft]?: FaultWord | Fault | false | undefined } = {
    name: draft.name.trim() === '' && (lacksKey(draft, known) ? 'incomplete' : 'nameMissing'),
    base_url: addressFault(draft, known),
    other: type === VERTEX && other.trim() === '' && 'regionBlank',
    key: keyFault(draft, known),
    groups: draft.groups.length === 0 && 'noGroups',
    models: draft.models.length === 0 && 'noModels',
    model_mapping: !readJsonObject(draft.model_mapping) && 'mappingWrong',
    tag: undefined,
    priority: !/^-?\d{1,9}$/.test(draft.priority.trim()) && 'priorityWrong',
    weight: !isWhole(draft.weight) && 'weightWrong',
    rpm: !isWhole(draft.rpm) && 'limitWrong',
    tpm: !isWhole(draft.tpm) && 'limitWrong',
    concurrency: !isWhole(draft.concurrency) && 'limitWrong',
    status_code_mapping: !readJsonObject(draft.status_code_mapping) && 'statusCodesWrong',
    setting: readJsonObject(draft.setting)
      ? passFaultIn(draft.setting) !== undefined && 'passWrong'
      : 'settingWrong',
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([field, fault]) => {
      if (!fault) return []
      return [[field, typeof fault === 'string' ? { word: fault } : fault]]
    }),
  )
}

function addressFault({ type, base_url }: ChannelDraft, { before }: Known): Fault | undefined {
  const address = base_url.trim()
  if (address === '') return needsAddress(type) ? { word: 'addressMissing' } : undefined
  if (codingPlans.has(address)) return undefined
  if (!/^(https?|wss?):\/\/[^/]/i.test(address)) return { word: 'addressWrong' }
  // One that is in use is left to whoever knows why.
  if (address === before?.base_url && type === before.type) return undefined
  const call = callIn(type, address)
  return call === undefined ? undefined : { word: 'addressCall', values: { call } }
}

function lacksKey({ key }: ChannelDraft, { before }: Known): boolean {
  return !before && key.trim() === ''
}

function keyFault(draft: ChannelDraft, { before, isRoot }: Known): Fault | undefined {
  const kind = channelTypeOf(draft.type)
  const lines = draft.key.split('\n').flatMap(line => line.trim() || [])
  if (lines.length === 0) {
    if (!before) return { word: draft.name.trim() === '' ? 'incomplete' : 'keyMissing' }
    return !isRoot && leadsElsewhere(before, draft) ? { word: 'keyAgain' } : undefined
  }
  if (!before && !draft.isBatch && !kind?.wholeKey && lines.length > 1) return { word: 'keyLines' }
  const sign = unsendableIn(draft.type, draft.key)
  return sign === undefined ? formFault(kind, draft.key, lines) : { word: 'keySign', values: { sign } }
}

function formFault(kind: ChannelType | undefined, key: string, lines: readonly string[]): Fault | undefined {
  if (!kind?.keyForms) return undefined
  const keys = kind.wholeKey && key.trim().startsWith('{') ? [key.trim()] : lines
  const { keyForms } = kind
  if (keys.every(one => keyForms.some(({ fits }) => fits(one)))) return undefined
  return { word: 'keyFormat', values: { form: keyForms.map(({ form }) => form).join(' / ') } }
}

/** The stored key of a channel is not sent to a new address by those who may not see it. */
function leadsElsewhere(before: ChannelView, { type, base_url, setting }: ChannelDraft): boolean {
  const bare = (address: string) => address.trim().replace(/\/+$/, '')
  const [address, proxy] = [bare(base_url), proxyIn(setting).trim()]
  return (
    type !== before.type ||
    (address !== '' && address !== bare(before.base_url)) ||
    (proxy !== '' && proxy !== proxyIn(before.setting).trim())
  )
}
