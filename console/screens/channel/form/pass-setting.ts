import { type KeyPlace, keyPlaces, passMethods, readPassRules } from '../../../../contract/pass-through.ts'
import { readJsonObject, withMember } from './setting-text.ts'

/** The member `pass` of a channel's settings as its fields show it: what is not said stands as what it means. */
export interface PassDraft {
  key_in: KeyPlace
  /** Blank: the usual one. */
  key_name: string
  /** Undefined: the usual one. */
  key_prefix: string | undefined
  methods: string[]
  paths: string[]
  query: boolean
  test_path: string
}

export function passIn(setting: string): PassDraft {
  const pass = memberIn(setting) ?? {}
  return {
    key_in: keyPlaces.find(place => place === pass.key_in) ?? 'header',
    key_name: textOf(pass.key_name),
    key_prefix: typeof pass.key_prefix === 'string' ? pass.key_prefix : undefined,
    methods: listOf(pass.methods) ?? [...passMethods],
    paths: listOf(pass.paths) ?? [],
    query: pass.query !== false,
    test_path: textOf(pass.test_path),
  }
}

/** Which member nobody could keep to, if any. */
export function passFaultIn(setting: string): string | undefined {
  const pass = readJsonObject(setting)?.pass
  if (pass === undefined || pass === null) return undefined
  const rules = readPassRules(pass)
  return 'fault' in rules ? rules.fault : undefined
}

/** The settings with some of it changed; what is as usual is not written down. */
export function withPass(setting: string, changes: Partial<PassDraft>): string {
  const { key_in, key_name, key_prefix, methods, paths, query, test_path } = {
    ...passIn(setting),
    ...changes,
  }
  const written = {
    ...(key_in === 'header' ? {} : { key_in }),
    ...(key_name.trim() === '' ? {} : { key_name: key_name.trim() }),
    ...(key_prefix === undefined || key_in !== 'header' ? {} : { key_prefix }),
    ...(methods.length === passMethods.length ? {} : { methods }),
    ...(paths.length === 0 ? {} : { paths }),
    ...(query ? {} : { query }),
    ...(test_path.trim() === '' ? {} : { test_path: test_path.trim() }),
  }
  return withMember(setting, 'pass', Object.keys(written).length === 0 ? undefined : written)
}

function memberIn(setting: string): Readonly<Record<string, unknown>> | undefined {
  const pass = readJsonObject(setting)?.pass
  return typeof pass === 'object' && pass !== null && !Array.isArray(pass) ? { ...pass } : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : undefined
}
