import type { Setting } from './define.ts'
import { operationSettings } from './operation.ts'
import { otherSettings } from './other.ts'
import { systemSettings } from './system.ts'

/** Every runtime option. One entry here and the server reads it typed and the settings screen draws it. */
export const settings = { ...operationSettings, ...systemSettings, ...otherSettings }

export type SettingKey = keyof typeof settings
export type SettingValue<K extends SettingKey> = (typeof settings)[K] extends Setting<infer T> ? T : never
export type SettingValues = { readonly [K in SettingKey]: SettingValue<K> }

export const settingKeys = Object.keys(settings) as SettingKey[]

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key)
}
