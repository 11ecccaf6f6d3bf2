import type { SpotlightActionGroupData } from '@mantine/spotlight'

/** The pages and actions that fit what was typed; by their name first, then by their other words. */
export function matchCommands(
  groups: readonly SpotlightActionGroupData[],
  typed: string,
): SpotlightActionGroupData[] {
  const query = typed.trim().toLowerCase()
  const holds = (text: string | undefined) => text?.toLowerCase().includes(query) === true
  return groups
    .map(({ group, actions }) => {
      const named = actions.filter(({ label }) => holds(label))
      const others = actions.filter(({ label, keywords }) => !holds(label) && [keywords].flat().some(holds))
      return { group, actions: [...named, ...others] }
    })
    .filter(({ actions }) => actions.length > 0)
}
