import { channelTypes } from '../../../contract/channel-types.ts'
import type { channelEndpoints } from '../../../contract/channels.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { providers } from '../../providers/index.ts'

/** The moment that the family's lists have always given. */
const CREATED = 1_626_777_600

const taskTypes = channelTypes.flatMap(({ id, name, tasks }) =>
  tasks ? [{ type: id, id: name.en.toLowerCase().replaceAll(' ', '-'), models: tasks }] : [],
)

/** Type to the models that a new channel of it starts with. Types that have none are not in it. */
export const modelsByType: Record<string, string[]> = Object.freeze(
  Object.fromEntries(
    [...providers, ...taskTypes]
      .filter(({ models }) => models.length > 0)
      .map(({ type, models }) => [String(type), [...models]]),
  ),
)

type Model = OutputOf<(typeof channelEndpoints)['channelModels']>[number]

/** Each model once, as the first who has it owns it. */
export const builtInModels: Model[] = Object.freeze(listModels()) as Model[]

function listModels(): Model[] {
  const owners = new Map<string, string>()
  for (const { id, models } of [...providers, ...taskTypes])
    for (const model of models) if (!owners.has(model)) owners.set(model, id)
  return Array.from(owners, ([id, owned_by]) => ({
    id,
    object: 'model' as const,
    created: CREATED,
    owned_by,
    permission: [],
    root: id,
    parent: null,
  }))
}
