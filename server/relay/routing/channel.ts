import { channelStatuses } from '../../../contract/channels.ts'
import { log, rememberSecret } from '../../log.ts'
import { secretsInAddress } from '../../outbound/credentials.ts'
import type { Cipher } from '../../store/cipher.ts'
import { type Limits, readLimits } from '../../store/counters/counters.ts'
import { type ChannelRow, markOf } from '../../store/routed-channel.ts'
import { channelKeyPlace } from '../../store/sealed-places.ts'
import { splitList } from '../../store/split-list.ts'
import { ChannelKeys, secretsIn } from './channel-keys.ts'
import { ChannelLoad } from './channel-load.ts'
import { type ChannelSetting, readChannelSetting } from './channel-setting.ts'
import { secretsInHeaders } from './header-secrets.ts'
import { type ModelMapping, readModelMapping } from './map-model.ts'
import { readStatusMapping, type StatusMapping } from './map-status.ts'

/** A row of `channels` as the relay uses it. It lives as long as its row stays the same. */
export class Channel {
  readonly id: number
  readonly type: number
  readonly name: string
  readonly status: number
  readonly groups: readonly string[]
  readonly models: ReadonlySet<string>
  /** Without a slash at its end. */
  readonly baseUrl: string | undefined
  readonly other: string
  readonly organization: string | undefined
  readonly mapping: ModelMapping
  readonly statusMapping: StatusMapping
  readonly priority: number
  readonly weight: number
  /** Whether it may be disabled when its key turns out to be unusable. */
  readonly autoBan: boolean
  readonly setting: ChannelSetting
  /** Undefined when nothing is limited. */
  readonly limits: Limits | undefined
  readonly load: ChannelLoad
  readonly #row: ChannelRow
  readonly #cipher: Cipher
  readonly #clock: () => number
  #keys: ChannelKeys | 'unreadable' | undefined
  #secrets: readonly string[] | undefined
  #mark: string | undefined

  /** `before` is the same channel as it was until its row changed. */
  constructor(
    row: ChannelRow,
    cipher: Cipher,
    clock: () => number = () => performance.now(),
    before?: Channel,
  ) {
    this.id = row.id
    this.type = row.type
    this.name = row.name
    this.status = row.status
    this.groups = [...new Set(splitList(row.group))]
    this.models = new Set(splitList(row.models))
    this.baseUrl = row.base_url?.trim().replace(/\/+$/, '') || undefined
    this.other = row.other
    this.organization = row.openai_organization?.trim() || undefined
    this.mapping = readColumn(row, 'model_mapping', readModelMapping) ?? new Map()
    this.statusMapping = readColumn(row, 'status_code_mapping', readStatusMapping) ?? new Map()
    this.priority = row.priority
    this.weight = row.weight
    this.autoBan = row.auto_ban !== 0
    this.setting = readColumn(row, 'setting', readChannelSetting) ?? {}
    this.limits = readLimits(row)
    this.load = new ChannelLoad(this.models, before?.load)
    this.#row = row
    this.#cipher = cipher
    this.#clock = clock
  }

  get isEnabled(): boolean {
    return this.status === channelStatuses.enabled
  }

  /** Tells what is said of it from what was said before its row was changed. */
  get mark(): string {
    this.#mark ??= markOf(this.#row)
    return this.#mark
  }

  /** Every key it has; none when they cannot be opened. */
  get keys(): readonly string[] {
    return this.keyRing?.all ?? []
  }

  /** What nobody else may see of it, as it is: its keys, and whatever else proves the operator. */
  get secrets(): readonly string[] {
    this.#secrets ??= [...this.keys.flatMap(secretsIn), ...this.settingSecrets]
    return this.#secrets
  }

  /** What it is proved to by besides its key: its addresses, and headers that the operator sends. */
  get settingSecrets(): readonly string[] {
    const addresses = [this.baseUrl, this.setting.proxy]
    const inAddresses = addresses.flatMap(address => secretsInAddress(address ?? ''))
    return [...inAddresses, ...secretsInHeaders(this.setting)]
  }

  /** The first key, for what is bound to one account; undefined when the keys cannot be opened. */
  get key(): string | undefined {
    return this.keys[0]
  }

  /** Its keys and what is known of them; undefined when they cannot be opened. */
  get keyRing(): ChannelKeys | undefined {
    this.#keys ??= this.#unseal()
    return this.#keys === 'unreadable' ? undefined : this.#keys
  }

  /** The key for the next request, for the model if one is named; undefined when none is usable. */
  nextKey(model?: string, spent?: readonly string[]): string | undefined {
    return this.keyRing?.next(model, spent)
  }

  setAside(key: string, forMs?: number): void {
    this.keyRing?.setAside(key, forMs)
  }

  /** When a key can be had: 0 while there is one. A key nobody has opened yet is believed to work. */
  get keyReadyAt(): number {
    return this.keyReadyFor()
  }

  /** The same for one model. */
  keyReadyFor(model?: string): number {
    if (this.#keys === undefined) return 0
    return this.#keys === 'unreadable' ? Number.POSITIVE_INFINITY : this.#keys.readyAt(model)
  }

  #unseal(): ChannelKeys | 'unreadable' {
    try {
      const { key_sealed } = this.#row
      const text = key_sealed === '' ? '' : this.#cipher.open(channelKeyPlace(this.id), key_sealed)
      const keys = new ChannelKeys(text, this.#clock)
      for (const key of keys.all) for (const secret of secretsIn(key)) rememberSecret(secret)
      for (const secret of this.settingSecrets) rememberSecret(secret)
      return keys
    } catch (error) {
      log.error('the key of a channel cannot be opened; the channel is not used', { channel: this.id, error })
      return 'unreadable'
    }
  }
}

type JsonColumn = 'model_mapping' | 'status_code_mapping' | 'setting'

function readColumn<T>(row: ChannelRow, column: JsonColumn, read: (text: string) => T | undefined) {
  const text = row[column]
  if (text === null || text.trim() === '') return undefined
  const value = read(text)
  if (value === undefined)
    log.warn('a channel has a field that is not a JSON object; it is ignored', {
      channel: row.id,
      field: column,
    })
  return value
}
