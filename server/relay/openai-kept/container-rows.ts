import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { ContainerState, OpenaiContainers } from '../../store/openai-schema.ts'
import { within } from '../../store/within.ts'
import type { Caller } from '../callers/caller.ts'
import { sharesAnswers } from '../chat/shares-answers.ts'
import type { RelayParts } from '../parts.ts'
import type { HostedTool } from '../request/hosted-tools.ts'
import type { Channel } from '../routing/channel.ts'
import { hashAccount } from '../routing/place.ts'

export type ContainerRow = Selectable<OpenaiContainers>

export const containerStates = {
  making: 'making',
  kept: 'kept',
} as const satisfies { readonly [State in ContainerState]: State }

/** What one payment is for. */
export const SESSION_SECONDS = 20 * 60
const LONGEST_ID = 128
const containerId = /^[\w-]{1,128}$/
/** A request may name any number of them. */
const LOOKED_FOR_AT_ONCE = 500
/** An answer is worth more than that what its code wrote can be found. */
const WRITTEN_WITHIN_MS = 2000
/** Nobody asks after one whose time was over so long ago. */
const FORGOTTEN_SECONDS = 86_400

/** Later ones are greater. */
export function newMark(): string {
  return Bun.randomUUIDv7('hex').replaceAll('-', '')
}

/** As it may stand in an address. */
export function isContainerId(id: string): boolean {
  return containerId.test(id)
}

export function unknownContainer(id: string): AppError {
  return new AppError('kept.no-container', { id: id.slice(0, LONGEST_ID) })
}

export function containersNamed(hosted: readonly HostedTool[]): readonly string[] {
  return hosted.flatMap(({ container }) => container ?? [])
}

/** Undefined for one that is not known here; somebody else's is refused as if it were not there. */
export async function knownContainer(
  parts: RelayParts,
  caller: Caller,
  id: string,
): Promise<ContainerRow | undefined> {
  return (await knownContainers(parts, caller, [id])).get(id)
}

/** The same of several, by their ids. */
export async function knownContainers(
  parts: RelayParts,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContainerRow>> {
  const rows = await findRows(parts, ids)
  for (const { id, user_id: userId, token_id: tokenId } of rows.values())
    if (!(await sharesAnswers(parts, caller, { userId, tokenId }))) throw unknownContainer(id)
  return rows
}

async function findRows(
  { store }: RelayParts,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ContainerRow>> {
  const possible = [...new Set(ids)].filter(isContainerId)
  const rows = new Map<string, ContainerRow>()
  for (let at = 0; at < possible.length; at += LOOKED_FOR_AT_ONCE) {
    const found = await store.db
      .selectFrom('openai_containers')
      .selectAll()
      .where('id', 'in', possible.slice(at, at + LOOKED_FOR_AT_ONCE))
      .where('state', '=', containerStates.kept)
      .execute()
    for (const row of found) rows.set(row.id, row)
  }
  return rows
}

interface Made {
  readonly userId: number
  readonly tokenId: number
  readonly channel: Channel
  readonly key: string
}

/**
 * Where code was run for an answer, its caller may look for what it wrote, as long as the answer has paid for. What the
 * caller named and is not known here stays so: it was made elsewhere, and others may have been told of it too.
 */
export async function noteContainers(
  parts: RelayParts,
  made: Made,
  ids: readonly string[],
  hosted: readonly HostedTool[] | undefined,
): Promise<void> {
  const named = new Set(containersNamed(hosted ?? []))
  const code = hosted?.find(({ name }) => name === 'code_interpreter')
  const note = async (): Promise<void> => {
    for (const id of ids) {
      if (!isContainerId(id)) continue
      if (!named.has(id)) await addContainer(parts, made, id, code?.certain ?? 1)
      else if (code?.settled !== 0) await payLonger(parts, made, id)
    }
  }
  try {
    await within(WRITTEN_WITHIN_MS, note())
  } catch (error) {
    log.warn('a container could not be noted; its caller will not find it', { error })
  }
}

async function addContainer(parts: RelayParts, made: Made, id: string, gigabytes: number): Promise<void> {
  // One of before, in which its vendor went on by itself: what was paid may be for less than it is.
  const known = (await findRows(parts, [id])).get(id)
  if (known) return known.gigabytes <= gigabytes ? payLonger(parts, made, id) : undefined
  const now = parts.now()
  await parts.store.db
    .insertInto('openai_containers')
    .values({
      ...{ mark: newMark(), id, user_id: made.userId, token_id: made.tokenId },
      ...{ channel_id: made.channel.id, key_hash: hashAccount(parts, made.key) },
      ...{ model: '', group: '', request_id: '', state: containerStates.kept, title: '', price: '' },
      ...{ gigabytes, created_at: now, changed_at: now, paid_until: now + SESSION_SECONDS },
    })
    .execute()
}

async function payLonger({ store, now }: RelayParts, { userId }: Made, id: string): Promise<void> {
  await store.db
    .updateTable('openai_containers')
    .set({ paid_until: now() + SESSION_SECONDS })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute()
}

/** Those that nobody asks after any more. */
export async function sweepContainers({ db }: RelayParts['store'], now: number): Promise<void> {
  await db
    .deleteFrom('openai_containers')
    .where('state', '=', containerStates.kept)
    .where('paid_until', '<=', now - FORGOTTEN_SECONDS)
    .execute()
}
