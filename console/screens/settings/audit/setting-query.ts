import { useQuery } from '@tanstack/react-query'
import type { Setting } from '../../../../contract/settings/define.ts'

/** The settings come later: a list is there without their names. */
export function useSettingNamed(name: string | undefined): Setting | undefined {
  const settings = useQuery({
    queryKey: ['settings-by-name'],
    queryFn: async () => (await import('../../../../contract/settings/index.ts')).settings,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: name !== undefined,
  }).data
  return settings && Object.entries(settings).find(([key]) => key === name)?.[1]
}
