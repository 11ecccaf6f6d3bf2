import type { Selectable } from 'kysely'
import { callIn, needsAddress, pageIn } from '../../../contract/channel-address.ts'
import type { ChannelFields } from '../../../contract/channel-fields.ts'
import { channelTypeOf } from '../../../contract/channel-types.ts'
import { codingPlans } from '../../../contract/coding-plans.ts'
import { isCostRatio } from '../../../contract/cost-ratio.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { ANY_HTTP, readPassRules } from '../../../contract/pass-through.ts'
import { MOST_LIMIT } from '../../../contract/tokens.ts'
import { AppError } from '../../errors.ts'
import type { Channels } from '../../store/schema.ts'
import { isModelMapping, isSetting, isStatusMapping } from './check-contents.ts'
import { checkOverride } from './check-override.ts'
import { readNames } from './read-names.ts'

/** The columns that people write, besides the key and the status. */
export type Written = Pick<
  Selectable<Channels>,
  | 'type'
  | 'name'
  | 'base_url'
  | 'other'
  | 'openai_organization'
  | 'test_model'
  | 'models'
  | 'group'
  | 'model_mapping'
  | 'status_code_mapping'
  | 'setting'
  | 'tag'
  | 'priority'
  | 'weight'
  | 'auto_ban'
  | 'rpm'
  | 'tpm'
  | 'concurrency'
>

const longest = {
  name: 255,
  base_url: 1000,
  other: 20_000,
  openai_organization: 255,
  test_model: 255,
  model_mapping: 200_000,
  status_code_mapping: 2000,
  setting: 200_000,
  tag: 255,
} as const
const HIGHEST_NUMBER = 1_000_000_000
const VERTEX = 41

/**
 * What is to be written, checked. Left out, or blank where a channel cannot be without it: as it was. Blank
 * elsewhere: taken away.
 */
export function readFields(fields: ChannelFields): Partial<Written> {
  const written: Partial<Written> = {
    type: readType(fields.type),
    name: readText(fields, 'name') || undefined,
    other: fields.clear?.includes('other') ? '' : readText(fields, 'other') || undefined,
    setting: readSetting(fields) ?? undefined,
    models: readNames('models', fields.models),
    group: readNames('groups', fields.group) ?? readNames('groups', fields.groups),
    base_url: readAddress(readText(fields, 'base_url')),
    openai_organization: orNull(readText(fields, 'openai_organization')),
    test_model: orNull(readText(fields, 'test_model')),
    tag: orNull(readText(fields, 'tag')),
    model_mapping: readObject(fields, 'model_mapping', 'channel.model-mapping'),
    status_code_mapping: readObject(fields, 'status_code_mapping', 'channel.status-code-mapping'),
    priority: readPriority(fields.priority),
    weight: readWeight(fields.weight),
    auto_ban: readFlag(fields.auto_ban),
    rpm: readLimit('rpm', fields.rpm),
    tpm: readLimit('tpm', fields.tpm),
    concurrency: readLimit('concurrency', fields.concurrency),
  }
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
}

/** What only makes sense together: a type, and the field whose meaning depends on it. */
export function checkOther({ type, other }: Pick<Written, 'type' | 'other'>): void {
  if (type !== VERTEX) return
  if (other === '') throw new AppError('channel.region-blank')
  const regions = other.startsWith('{') ? (parseObject(other) ?? {}) : { default: other }
  if (!Object.hasOwn(regions, 'default')) throw new AppError('channel.region-default')
  if (!Object.values(regions).every(isRegion)) throw new AppError('channel.region-name')
}

/** Of an API that only the operator knows, nobody else knows the place. */
export function checkAddress({ type, base_url }: Pick<Written, 'type' | 'base_url'>): void {
  if (type === ANY_HTTP && !/^https?:/i.test(base_url ?? '')) throw new AppError('channel.pass-address')
}

/** An address at which no call could arrive; one that is in use is left to whoever knows why. */
export function refuseVainAddress({ type, base_url }: Pick<Written, 'type' | 'base_url'>): void {
  const address = base_url ?? ''
  if (address === '' && needsAddress(type)) throw new AppError('channel.address-missing')
  const host = pageIn(address)
  if (host !== undefined) throw new AppError('channel.address-page', { host })
  // The path of each call is put behind it.
  const call = callIn(type, address)
  if (call !== undefined) throw new AppError('channel.address-call', { call })
}

/** A region is a part of the host's name, and whoever has that host gets the key. */
function isRegion(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z0-9-]{1,64}$/i.test(value)
}

export function otherOrDefault(type: number, other: string): string {
  return other || (channelTypeOf(type)?.otherDefault ?? '')
}

export function readPriority(value: number | string | undefined): number | undefined {
  const priority = readNumber(value)
  if (priority === undefined) return undefined
  if (!Number.isInteger(priority) || Math.abs(priority) > HIGHEST_NUMBER)
    throw new AppError('channel.priority')
  return priority
}

export function readWeight(value: number | string | undefined): number | undefined {
  const weight = readNumber(value)
  if (weight === undefined) return undefined
  if (!Number.isInteger(weight) || weight < 0 || weight > HIGHEST_NUMBER) throw new AppError('channel.weight')
  return weight
}

function readLimit(field: string, value: number | string | undefined): number | undefined {
  const limit = readNumber(value)
  if (limit === undefined) return undefined
  if (!Number.isInteger(limit) || limit < 0 || limit > MOST_LIMIT)
    throw new AppError('limit.amount', { field, most: MOST_LIMIT })
  return limit
}

const isGood = { setting: isSetting, model_mapping: isModelMapping, status_code_mapping: isStatusMapping }

function readSetting(fields: ChannelFields): string | null | undefined {
  const text = readObject(fields, 'setting', 'channel.setting')
  const setting = text ? parseObject(text) : undefined
  if (!setting) return text
  checkOverride(setting)
  const { cost_ratio = null, pass = null } = setting as {
    readonly cost_ratio?: unknown
    readonly pass?: unknown
  }
  const rules = pass === null ? undefined : readPassRules(pass)
  if (rules && 'fault' in rules) throw new AppError('channel.pass', { member: rules.fault })
  if (cost_ratio !== null && !isCostRatio(cost_ratio)) throw new AppError('channel.cost-ratio')
  return text
}

/** A JSON object in text, or null when it is blank. */
export function readObject<Name extends keyof typeof isGood>(
  fields: { readonly [K in Name]?: string | undefined },
  name: Name,
  error: ErrorCode,
): string | null | undefined {
  const text = readText(fields, name)
  if (!text) return orNull(text)
  const object = parseObject(text)
  if (!object || !isGood[name](object)) throw new AppError(error)
  return text
}

export function readText<Name extends keyof typeof longest>(
  fields: { readonly [K in Name]?: string | undefined },
  name: Name,
): string | undefined {
  const text = fields[name]?.trim()
  const limit = longest[name]
  if (text !== undefined && text.length > limit)
    throw new AppError('channel.too-long', { field: name, limit })
  return text
}

function readType(value: number | string | undefined): number | undefined {
  const type = readNumber(value)
  if (type === undefined || type === 0) return undefined
  if (!channelTypeOf(type)) throw new AppError('channel.type', { type: String(value).slice(0, 20) })
  return type
}

/** Blank text is no number, and not 0 either. */
function readNumber(value: number | string | undefined): number | undefined {
  if (typeof value !== 'string') return value
  return value.trim() === '' ? undefined : Number(value)
}

function readFlag(value: number | boolean | string | undefined): number | undefined {
  if (value === undefined || value === '') return undefined
  return value === 0 || value === false || value === '0' || value === 'false' ? 0 : 1
}

/** `{model}` may stand anywhere in it; the name of a plan stands for its address. */
function readAddress(text: string | undefined): string | null | undefined {
  if (!text) return orNull(text)
  const address = codingPlans.get(text) ?? text.replace(/\/+$/, '')
  const parsed = URL.parse(address.replaceAll('{model}', 'model'))
  if (!parsed || !['http:', 'https:', 'ws:', 'wss:'].includes(parsed.protocol))
    throw new AppError('channel.base-url')
  return address
}

function orNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text
}

export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
