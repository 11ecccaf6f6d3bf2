import { asArray, asObject, parseObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { log } from '../../../log.ts'
import { readText } from '../../../outbound/read-body.ts'
import { type ContainerRow, containerStates } from '../../../relay/openai-kept/container-rows.ts'
import type { RelayParts } from '../../../relay/parts.ts'
import { type FoundPlace, findPlace } from '../../../relay/routing/place.ts'
import { askKeeper, nobody } from '../../../relay/stored-answers/ask-keeper.ts'
import { LARGEST_ANSWER } from '../keeping.ts'
import { idIn } from './create-container.ts'
import { finishContainer, giveUpContainer } from './finish-container.ts'

/** What is under way for longer has died with its process, or its answer was lost. */
const LOST_SECONDS = 180
/** Nothing changes so far ahead: what does was written before a clock was set back. */
const FAR_SECONDS = 1200
const AT_A_TURN = 20
/** A vendor that cannot be asked for so long will not tell any more. */
const GIVEN_UP_SECONDS = 86_400

/** Finds out what became of containers that nobody heard of. Any number of nodes may do so. */
export async function lookAfterContainers(parts: RelayParts): Promise<number> {
  const now = parts.now()
  const lost = await parts.store.db
    .selectFrom('openai_containers')
    .selectAll()
    .where('state', '=', containerStates.making)
    .where(row =>
      row.or([row('changed_at', '<=', now - LOST_SECONDS), row('changed_at', '>', now + FAR_SECONDS)]),
    )
    .orderBy('changed_at')
    .limit(AT_A_TURN)
    .execute()
  for (const row of lost)
    if (await take(parts, row, now))
      await resolve(parts, row).catch(error =>
        log.warn('a container could not be asked after; it is again', { container: row.mark, error }),
      )
  return lost.length
}

/** Whoever is the first to say so looks; the next may when that is as old again. */
async function take(
  { store }: RelayParts,
  { mark, changed_at }: ContainerRow,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('openai_containers')
    .set({ changed_at: now })
    .where('mark', '=', mark)
    .where('state', '=', containerStates.making)
    .where('changed_at', '=', changed_at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function resolve(parts: RelayParts, row: ContainerRow): Promise<void> {
  const place = findPlace(parts, row)
  const interrupted = new AppError('task.interrupted').text('zh')
  if (!place) return giveUpContainer(parts, row, interrupted)
  try {
    const id = await findMade(parts, place, row)
    if (id === undefined || !(await finishContainer(parts, row, id)))
      await giveUpContainer(parts, row, interrupted)
  } catch (error) {
    if (row.created_at + GIVEN_UP_SECONDS > parts.steadyNow()) throw error
    await giveUpContainer(parts, row, interrupted)
  }
}

/** By our name for it. */
async function findMade(
  parts: RelayParts,
  place: FoundPlace,
  { mark }: ContainerRow,
): Promise<string | undefined> {
  const query = [['name', mark] as const, ['limit', '100'] as const]
  const asking = { method: 'GET', beside: 'containers', path: '', query } as const
  const response = await askKeeper(parts, nobody, place, asking)
  const list = parseObject(await readText(response, LARGEST_ANSWER))
  return idIn(asArray(list?.data).find(one => asObject(one)?.name === mark))
}
