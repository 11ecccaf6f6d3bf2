// What has been edited, what is wrong with it, and in which order it is saved. No React in here.

import type { Language } from '../../../contract/language.ts'
import { type Setting, SettingError } from '../../../contract/settings/define.ts'
import { type SectionId, sections } from '../../../contract/settings/sections.ts'
import { jsonErrorPosition } from '../../ui/json-editor/json-error-position.ts'

export type Settings = Readonly<Record<string, Setting<unknown>>>
export type Texts = Readonly<Record<string, string>>

/** What was typed, and the revision of what was saved when that began. */
export interface Draft {
  readonly edits: Texts
  readonly bases: Texts
}

export const emptyDraft: Draft = { edits: {}, bases: {} }

interface Saved {
  readonly text: string
  readonly revision: string | undefined
}

/** What is typed over that was as it is saved, or was typed back to that, begins from what is saved now. */
export function withEdit({ edits, bases }: Draft, key: string, text: string, saved: Saved): Draft {
  const hasBegun = edits[key] !== undefined && edits[key] !== saved.text
  const base = hasBegun ? bases[key] : saved.revision
  return {
    edits: { ...edits, [key]: text },
    bases: base === undefined ? bases : { ...bases, [key]: base },
  }
}

export function withoutEdits({ edits, bases }: Draft, keys: readonly string[]): Draft {
  const without = (texts: Texts): Texts =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.includes(key)))
  return { edits: without(edits), bases: without(bases) }
}

/** A setting as it was sent, and the revision that it got; secrets have none. */
export interface SavedText {
  readonly key: string
  readonly text: string
  readonly revision: string | undefined
}

/** What was saved is no edit any more. What was typed meanwhile is one still, and begins from what was saved. */
export function withSaved(draft: Draft, saved: readonly SavedText[]): Draft {
  const done = saved.flatMap(({ key, text }) => (draft.edits[key] === text ? key : []))
  const left = withoutEdits(draft, done)
  const bases = saved.flatMap(({ key, revision }) =>
    left.edits[key] === undefined || revision === undefined ? [] : [[key, revision]],
  )
  return { ...left, bases: { ...left.bases, ...Object.fromEntries(bases) } }
}

/** Kept for other tools to read and write; nothing obeys them, so nobody is asked about them. */
const hiddenSections: ReadonlySet<string> = new Set(['other.legacy'])

export interface SectionOfSettings {
  readonly id: SectionId
  readonly keys: readonly string[]
}

/** The sections that have settings, in the order of the registry. */
export function groupBySection(settings: Settings): SectionOfSettings[] {
  return (Object.keys(sections) as SectionId[])
    .filter(id => !hiddenSections.has(id))
    .map(id => ({ id, keys: Object.keys(settings).filter(key => settings[key]?.section === id) }))
    .filter(({ keys }) => keys.length > 0)
}

/** The text a field shows before anyone edits it. Secrets show nothing. */
export function savedText(setting: Setting<unknown>, saved: string | undefined): string {
  if (setting.secret) return ''
  return saved ?? setting.encode(setting.default)
}

export function changedKeys(
  settings: Settings,
  keys: readonly string[],
  saved: Texts,
  edits: Texts,
): string[] {
  return keys.filter(key => {
    const setting = settings[key]
    const edited = edits[key]
    return setting !== undefined && edited !== undefined && edited !== savedText(setting, saved[key])
  })
}

/**
 * What is switched off goes first and what is switched on goes last: the server lets nothing be switched on
 * before the values it needs are there.
 */
export function saveOrder(settings: Settings, keys: readonly string[], edits: Texts): string[] {
  const rank = (key: string) => {
    if (settings[key]?.kind !== 'flag') return 1
    return edits[key] === 'true' ? 2 : 0
  }
  return keys.toSorted((one, other) => rank(one) - rank(other))
}

/** Why the server would refuse this text; undefined when it would not. */
export function faultOf(setting: Setting<unknown>, text: string, language: Language): string | undefined {
  try {
    setting.decode(text)
    return undefined
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    const position = setting.kind === 'json' ? jsonErrorPosition(text) : undefined
    const detail = error.detail[language]
    if (!position) return detail
    return language === 'zh'
      ? `${detail}（第 ${position.line} 行第 ${position.column} 列）`
      : `${detail} (line ${position.line}, column ${position.column})`
  }
}
