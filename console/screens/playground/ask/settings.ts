// What a call is made with, kept in this browser, and presets of it under names.

import { readStored, store } from '../../../storage.ts'
import { MOST_COLUMNS } from '../talk/conversation.ts'

export const DEFAULT_MODEL = 'gpt-4o-mini'
const DEFAULT_SYSTEM = 'You are a helpful assistant.'
const LONGEST_SYSTEM = 100_000
const MOST_PRESETS = 50

export const efforts = ['minimal', 'low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

export interface Settings {
  /** One for each column. */
  readonly models: readonly string[]
  /** Blank: the reader's own. */
  readonly group: string
  /** 0 is unset. */
  readonly temperature: number
  /** 0 is unset. */
  readonly maxTokens: number
  /** 0 is unset. */
  readonly topP: number
  /** Blank is unset. */
  readonly effort: Effort | ''
  readonly system: string
}

export interface Preset extends Settings {
  readonly name: string
}

export const initialSettings: Settings = {
  models: [DEFAULT_MODEL],
  group: '',
  temperature: 0,
  maxTokens: 0,
  topP: 0,
  effort: '',
  system: DEFAULT_SYSTEM,
}

export function readSettings(): Settings {
  return parseSettings(readJson('playground-settings'))
}

export function storeSettings(settings: Settings): void {
  store('playground-settings', JSON.stringify(settings))
}

export function readPresets(): Preset[] {
  const list = readJson('playground-presets')
  if (!Array.isArray(list)) return []
  return list.slice(0, MOST_PRESETS).flatMap(one => {
    const name = isRecord(one) && typeof one.name === 'string' ? one.name.trim() : ''
    return name === '' ? [] : [{ ...parseSettings(one), name }]
  })
}

/** The newest first; one of the same name is replaced. */
export function savePreset(presets: readonly Preset[], preset: Preset): Preset[] {
  return storePresets([preset, ...presets.filter(one => one.name !== preset.name)].slice(0, MOST_PRESETS))
}

export function removePreset(presets: readonly Preset[], name: string): Preset[] {
  return storePresets(presets.filter(one => one.name !== name))
}

function storePresets(presets: Preset[]): Preset[] {
  store('playground-presets', JSON.stringify(presets))
  return presets
}

/** Whatever was stored, by whichever version: what cannot be understood is as it was at the beginning. */
function parseSettings(value: unknown): Settings {
  const stored = isRecord(value) ? value : {}
  const models = Array.isArray(stored.models)
    ? stored.models.filter(model => typeof model === 'string' && model !== '').slice(0, MOST_COLUMNS)
    : []
  return {
    models: models.length > 0 ? models : initialSettings.models,
    group: typeof stored.group === 'string' ? stored.group : '',
    temperature: readTemperature(stored.temperature),
    maxTokens: readMaxTokens(stored.maxTokens),
    topP: readTopP(stored.topP),
    effort: readEffort(stored.effort),
    system:
      typeof stored.system === 'string' ? stored.system.slice(0, LONGEST_SYSTEM) : initialSettings.system,
  }
}

/** 0, or 0.1 to 1 in tenths. */
export function readTemperature(value: unknown): number {
  const number = Number(value)
  if (!Number.isFinite(number) || number <= 0) return 0
  return Math.min(1, Math.max(0.1, Math.round(number * 10) / 10))
}

/** A whole number that is not negative. */
export function readMaxTokens(value: unknown): number {
  const number = Number.parseInt(String(value), 10)
  return Number.isFinite(number) && number > 0 ? Math.min(number, 10_000_000) : 0
}

/** 0, or up to 1 in hundredths. */
export function readTopP(value: unknown): number {
  const number = Number(value)
  return Number.isFinite(number) && number > 0
    ? Math.min(1, Math.max(0.01, Math.round(number * 100) / 100))
    : 0
}

export function readEffort(value: unknown): Effort | '' {
  return efforts.find(effort => effort === value) ?? ''
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(readStored(key) ?? 'null')
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
