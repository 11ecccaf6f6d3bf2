import type { Settings } from './settings-snapshot.ts'

/** In place of a group: whichever of the listed ones can serve. */
export const AUTO = 'auto'

/** The own group, and those that users may choose. */
export function mayUseGroup(settings: Settings, userGroup: string, group: string): boolean {
  return group === userGroup || Object.hasOwn(settings.get('UserUsableGroups'), group)
}

/**
 * What stands behind the name of a group for a user: the groups of `auto` that the user may use, in their order.
 * Undefined for any other name, which stands for itself, as `auto` does while the operator lists none.
 */
export function groupsBehind(settings: Settings, userGroup: string, group: string): string[] | undefined {
  if (group !== AUTO) return undefined
  const listed = settings.get('AutoGroups')
  if (listed.length === 0) return undefined
  const ratios = settings.get('GroupRatio')
  return listed.filter(one => Object.hasOwn(ratios, one) && mayUseGroup(settings, userGroup, one))
}
