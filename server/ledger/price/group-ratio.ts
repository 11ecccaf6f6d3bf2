import type { SettingValues } from '../../../contract/settings/index.ts'

export type GroupRatios = Pick<SettingValues, 'GroupRatio' | 'GroupGroupRatio'>

/** What users of a group pay in another one, where that is not what others pay there. */
export function ownRatio({ GroupGroupRatio }: GroupRatios, group: string, userGroup: string) {
  if (!Object.hasOwn(GroupGroupRatio, userGroup)) return undefined
  const ratios = GroupGroupRatio[userGroup]
  return ratios && Object.hasOwn(ratios, group) ? ratios[group] : undefined
}

/** Undefined when there is no such group, whoever has a ratio for it. */
export function groupRatio(ratios: GroupRatios, group: string, userGroup = ''): number | undefined {
  if (!Object.hasOwn(ratios.GroupRatio, group)) return undefined
  return ownRatio(ratios, group, userGroup) ?? ratios.GroupRatio[group]
}
