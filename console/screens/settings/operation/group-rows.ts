// Two maps seen as one table of groups, and back. No React in here.

import { operationSettings } from '../../../../contract/settings/operation.ts'
import { placeEntry } from './place-entry.ts'

export const groupKeys = ['GroupRatio', 'UserUsableGroups'] as const
export type GroupKey = (typeof groupKeys)[number]

export interface GroupMaps {
  readonly GroupRatio: Readonly<Record<string, number>>
  readonly UserUsableGroups: Readonly<Record<string, string>>
}

export interface GroupRow {
  readonly name: string
  readonly ratio: number | undefined
  /** What users read when they choose it; undefined where they may not. */
  readonly description: string | undefined
}

/** The maps that the texts stand for, or the first text that is none. */
export function readGroups(texts: Readonly<Record<GroupKey, string>>): GroupMaps | GroupKey {
  let reading: GroupKey = 'GroupRatio'
  try {
    const GroupRatio = operationSettings.GroupRatio.decode(texts.GroupRatio)
    reading = 'UserUsableGroups'
    return { GroupRatio, UserUsableGroups: operationSettings.UserUsableGroups.decode(texts.UserUsableGroups) }
  } catch {
    return reading
  }
}

export function writeGroups(maps: GroupMaps): Record<GroupKey, string> {
  return {
    GroupRatio: operationSettings.GroupRatio.encode(maps.GroupRatio),
    UserUsableGroups: operationSettings.UserUsableGroups.encode(maps.UserUsableGroups),
  }
}

export function listGroups({ GroupRatio, UserUsableGroups }: GroupMaps): GroupRow[] {
  const names = new Set([...Object.keys(GroupRatio), ...Object.keys(UserUsableGroups)])
  return [...names].map(name => ({
    name,
    ratio: Object.hasOwn(GroupRatio, name) ? GroupRatio[name] : undefined,
    description: Object.hasOwn(UserUsableGroups, name) ? UserUsableGroups[name] : undefined,
  }))
}

export function putGroup(maps: GroupMaps, row: GroupRow, former = row.name): GroupMaps {
  return {
    GroupRatio: placeEntry(maps.GroupRatio, former, row.name, row.ratio),
    UserUsableGroups: placeEntry(maps.UserUsableGroups, former, row.name, row.description),
  }
}

export function dropGroup(maps: GroupMaps, name: string): GroupMaps {
  return putGroup(maps, { name, ratio: undefined, description: undefined })
}

export interface GroupForm {
  readonly name: string
  readonly ratio: string
  readonly usable: boolean
  readonly description: string
}

export type GroupFault = 'nameRequired' | 'nameTaken' | 'nameWrong' | 'number'

interface Read {
  readonly row: GroupRow
  readonly faults: Readonly<{ name?: GroupFault; ratio?: GroupFault }>
}

const LONGEST_NAME = 64
const MOST_DIGITS = 9

/** As the form takes it: a quotient of two prices has more digits than anybody types. */
export function ratioText(ratio: number | undefined): string {
  if (ratio === undefined) return ''
  const text = ratio.toFixed(MOST_DIGITS).replace(/\.?0+$/, '')
  return text === '0' ? String(ratio) : text
}

/**
 * `taken` are the names of the other groups. A comma separates groups wherever several stand together. A ratio that
 * nobody has changed stays what it is to its last digit: rounded, a small one would be none.
 */
export function readGroupForm(form: GroupForm, taken: ReadonlySet<string>, formerRatio?: number): Read {
  const name = form.name.trim()
  const wrong = name.length > LONGEST_NAME || name === '__proto__' || name.includes(',')
  const nameFault =
    name === '' ? 'nameRequired' : wrong ? 'nameWrong' : taken.has(name) ? 'nameTaken' : undefined
  const isFormer = formerRatio !== undefined && form.ratio === ratioText(formerRatio)
  const isNumber = isFormer || /^\d{1,9}(\.\d{1,9})?$/.test(form.ratio.trim())
  const ratio = isFormer ? formerRatio : Number(form.ratio)
  return {
    row: {
      name,
      ratio: isNumber ? ratio : undefined,
      description: form.usable ? form.description.trim() : undefined,
    },
    faults: {
      ...(nameFault ? { name: nameFault } : {}),
      ...(isNumber ? {} : { ratio: 'number' as const }),
    },
  }
}
