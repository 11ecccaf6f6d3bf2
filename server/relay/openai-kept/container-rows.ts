import type { Selectable } from 'kysely'
import { AppError } from '../../errors.ts'
import { holdStates } from '../../ledger/moves.ts'
import type { ContainerState, OpenaiContainers } from '../../store/openai-schema.ts'
import type { Caller } from '../callers/caller.ts'
import { sharesAnswers } from '../chat/shares-answers.ts'
import type { RelayParts } from '../parts.ts'
import type { HostedTool } from '../request/hosted-tools.ts'

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

/** Since when a container's time is not paid; undefined while it is. */
export async function unpaidSince(
  db: Pick<RelayParts['store']['db'], 'selectFrom'>,
  { mark, paid_until }: ContainerRow,
  now: number,
): Promise<number | undefined> {
  if (now >= paid_until) return paid_until
  // Whoever wrote down that it pays may have been given everything back since, because its answer could not be settled.
  const unpaid = await db
    .selectFrom('openai_container_windows as windows')
    .innerJoin('holds', 'holds.id', 'windows.request_id')
    .select('windows.since')
    .where('windows.mark', '=', mark)
    .where('windows.until', '=', paid_until)
    .where('holds.state', '=', holdStates.released)
    .executeTakeFirst()
  return unpaid?.since
}

/** Those that nobody asks after any more. */
export async function sweepContainers({ db }: RelayParts['store'], now: number): Promise<void> {
  await db
    .deleteFrom('openai_containers')
    .where('state', '=', containerStates.kept)
    .where('paid_until', '<=', now - FORGOTTEN_SECONDS)
    .execute()
  await db
    .deleteFrom('openai_container_windows')
    .where('until', '<=', now - FORGOTTEN_SECONDS)
    .execute()
}
