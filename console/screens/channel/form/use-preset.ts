import { useQuery } from '@tanstack/react-query'
import { channelTypeOf } from '../../../../contract/channel-types.ts'
import { modelsByTypeQuery } from './models-query.ts'

const none: string[] = []

/** The models that a new channel of a type begins with; none until the server has told them. */
export function usePreset(): (type: number) => string[] {
  const byType = useQuery(modelsByTypeQuery).data
  return type => {
    const tasks = channelTypeOf(type)?.tasks
    // The same list for as long as it is known: its field is not drawn anew with every letter typed elsewhere.
    return tasks ? [...tasks] : (byType?.[String(type)] ?? none)
  }
}
