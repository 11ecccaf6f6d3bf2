import { asArray, asObject, parseObject } from '../../../dialects/json.ts'
import { readText } from '../../../outbound/read-body.ts'
import { type ContainerRow, containerStates } from '../../../relay/openai-kept/container-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import { findPlace } from '../../../relay/routing/place.ts'
import { askKeeper, nobody } from '../../../relay/stored-answers/ask-keeper.ts'
import { lookAfterKept } from '../../kept/look-after-kept.ts'
import { LARGEST_ANSWER } from '../keeping.ts'
import { idIn } from './create-container.ts'
import { finishContainer, giveUpContainer } from './finish-container.ts'

/** Finds out what became of containers that nobody heard of. */
export function lookAfterContainers(parts: RelayParts): Promise<number> {
  const { db } = parts.store
  return lookAfterKept<ContainerRow, string>(parts, {
    what: 'container',
    nameOf: ({ mark }) => mark,
    lost: (isLost, most) =>
      db
        .selectFrom('openai_containers')
        .selectAll()
        .where('state', '=', containerStates.making)
        .where(isLost)
        .orderBy('changed_at')
        .limit(most)
        .execute(),
    async take({ mark, changed_at }, now) {
      const { numUpdatedRows } = await db
        .updateTable('openai_containers')
        .set({ changed_at: now })
        .where('mark', '=', mark)
        .where('state', '=', containerStates.making)
        .where('changed_at', '=', changed_at)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    find: row => findMade(parts, row),
    finish: (row, id) => finishContainer(parts, row, id),
    giveUp: (row, why) => giveUpContainer(parts, row, why),
    since: ({ created_at }) => created_at,
  })
}

/** By our name for it. */
async function findMade(parts: RelayParts, row: ContainerRow): Promise<string | undefined> {
  const place = findPlace(parts, row)
  if (!place) return undefined
  const query = [['name', row.mark] as const, ['limit', '100'] as const]
  const asking = { method: 'GET', beside: 'containers', path: '', query } as const
  const response = await askKeeper(parts, nobody, place, asking)
  const list = parseObject(await readText(response, LARGEST_ANSWER))
  return idIn(asArray(list?.data).find(one => asObject(one)?.name === row.mark))
}
