import type { Kysely } from 'kysely'
import { KEPT_SECRET, type Setting } from '../../contract/settings/define.ts'
import {
  isSettingKey,
  type SettingKey,
  type SettingValue,
  type SettingValues,
  settingKeys,
  settings,
} from '../../contract/settings/index.ts'
import { log, rememberSecret } from '../log.ts'
import type { Bus } from './bus/bus.ts'
import type { Cipher, Place } from './cipher.ts'
import { Readings } from './readings.ts'
import type { Schema } from './schema.ts'

export function optionPlace(key: SettingKey): Place {
  return { table: 'options', column: 'value', row: key }
}

const defaults = Object.fromEntries(
  settingKeys.map(key => [key, settings[key].default]),
) as unknown as SettingValues

/** All settings, typed, in memory; replaced as a whole when one changes anywhere. */
export class Settings {
  readonly #db: Kysely<Schema>
  readonly #cipher: Cipher
  readonly #changed: ((values: SettingValues) => void)[] = []
  readonly #readings = new Readings(() => this.#readAll())
  #values: SettingValues = defaults
  /** As they are stored; what is not stored is not in here. */
  #stored: ReadonlyMap<string, string> = new Map()

  private constructor(db: Kysely<Schema>, cipher: Cipher) {
    this.#db = db
    this.#cipher = cipher
  }

  static async load(db: Kysely<Schema>, cipher: Cipher, bus: Bus): Promise<Settings> {
    const snapshot = new Settings(db, cipher)
    await snapshot.refresh()
    bus.on('options', () => snapshot.refresh())
    return snapshot
  }

  get<K extends SettingKey>(key: K): SettingValue<K> {
    return this.#values[key] as SettingValue<K>
  }

  get all(): SettingValues {
    return this.#values
  }

  storedText(key: SettingKey): string | undefined {
    return this.#stored.get(key)
  }

  onChange(listener: (values: SettingValues) => void): void {
    this.#changed.push(listener)
  }

  /** Resolves after a reading that began after this call. */
  refresh(): Promise<void> {
    return this.#readings.again()
  }

  async #readAll(): Promise<void> {
    const rows = await this.#db.selectFrom('options').select(['key', 'value']).execute()
    const values: Record<string, unknown> = { ...defaults }
    for (const { key, value } of rows) if (isSettingKey(key)) values[key] = this.#read(key, value)
    this.#stored = new Map(rows.map(({ key, value }) => [key, value]))
    this.#values = values as unknown as SettingValues
    for (const listener of this.#changed) listener(this.#values)
  }

  /** A row that cannot be read (written by hand, or by an older version) must not take the program down. */
  #read(key: SettingKey, stored: string): unknown {
    const setting = settings[key]
    try {
      if (!setting.secret) return this.#openSecrets(key, definition(key).decode(stored))
      const plain = stored === '' ? '' : this.#cipher.open(optionPlace(key), stored)
      rememberSecret(plain)
      return setting.decode(plain)
    } catch (error) {
      log.error('a stored setting cannot be read; its default is used', { setting: key, error })
      return setting.default
    }
  }

  /** Of a value that has secrets in it. One that cannot be opened is wrong, and the rest stays in force. */
  #openSecrets(key: SettingKey, value: unknown): unknown {
    const { changeSecrets } = definition(key)
    if (!changeSecrets) return value
    return changeSecrets(value, (sealed, of) => {
      try {
        const plain = this.#cipher.open(optionPlace(key), sealed)
        rememberSecret(plain)
        return plain
      } catch (error) {
        log.error('a secret in a stored setting cannot be read', { setting: key, of, error })
        return KEPT_SECRET
      }
    })
  }
}

function definition(key: SettingKey): Setting {
  return settings[key] as Setting
}
