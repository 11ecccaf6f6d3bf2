import type { Transaction } from 'kysely'
import type { RanIn } from '../../dialects/openai-responses/ran-in.ts'
import { lockHold } from '../../ledger/checkpoint-with.ts'
import { hasComeBack } from '../../ledger/lasting-hold.ts'
import { log } from '../../log.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import type { Schema } from '../../store/schema.ts'
import { unlessThere } from '../../store/upsert.ts'
import type { RelayParts } from '../parts.ts'
import { CONTAINER, type HostedTool, runsInContainer } from '../request/hosted-tools.ts'
import { type FoundPlace, hashAccount } from '../routing/place.ts'
import {
  type ContainerRow,
  containerStates,
  containersNamed,
  isContainerId,
  newMark,
  SESSION_SECONDS,
  unpaidSince,
} from './container-rows.ts'

/** An answer that is about to be paid. */
export interface PaidAnswer {
  readonly requestId: string
  readonly userId: number
  readonly tokenId: number
  /** Where it was made, if that keeps containers. */
  readonly place: FoundPlace | undefined
  readonly hosted: readonly HostedTool[]
  readonly ran: readonly RanIn[]
  /** What all of it costs, if this is paid for its tools. */
  costWith(hosted: readonly HostedTool[]): number
}

/**
 * What an answer pays for the containers that it was made in: each 20 minutes of one are paid once, by the answer that is
 * the first to write down that it pays. With that is written what the answer costs: should this process die before the
 * answer is settled, whoever finds its hold charges that. A new container is its maker's from then on.
 */
export async function payWindows(parts: RelayParts, answer: PaidAnswer): Promise<readonly HostedTool[]> {
  const uses = usesOf(answer)
  if (!uses.some(({ tool, ids }) => tool.due || ids.length > 0)) {
    // An answer tells of all its containers in one sum: where one is paid already, so is each of the others by itself.
    return answer.hosted.some(({ settled }) => settled !== undefined) ? uses.map(settleAlone) : answer.hosted
  }
  try {
    return await parts.store.transaction(async transaction => {
      const { requestId: id, userId } = answer
      const hold = await lockHold(transaction, parts.store, { id, userId })
      // It has been paid already, or given back: either is told again.
      if (hold && !hold.isOpen) return answer.hosted
      const paying = new Paying(parts, transaction, answer)
      const settled: HostedTool[] = []
      for (const use of uses) settled.push(await paying.settle(use))
      await hold?.checkpoint(answer.costWith(settled))
      return settled
    })
  } catch (error) {
    // Nobody has paid for what was due: the next answer will. What is new is paid as the vendor tells, and not found.
    log.warn('what an answer pays for containers could not be written down', { error })
    return answer.hosted
  }
}

interface Use {
  readonly tool: HostedTool
  /** The containers that its vendor chose for it. */
  readonly ids: readonly string[]
  /** It has no container of its own: it ran where others did, or was offered twice. */
  readonly isShared?: boolean
}

function usesOf({ hosted, ran, place }: PaidAnswer): readonly Use[] {
  const named = new Set(containersNamed(hosted))
  const chosen = place ? ran.filter(({ id }) => isContainerId(id)) : []
  const left = new Set(chosen.map(({ id }) => id).filter(id => !named.has(id)))
  const offered = new Set<boolean>()
  const uses = hosted.map((tool): Use => {
    if (!runsInContainer(tool) || tool.container !== undefined) return { tool, ids: [] }
    const isShell = tool.isShell === true
    const own = chosen.filter(one => one.isShell === isShell)
    const ids = own.map(({ id }) => id).filter(id => left.delete(id))
    const isShared = ids.length === 0 && (own.length > 0 || offered.has(isShell))
    offered.add(isShell)
    return { tool, ids, isShared }
  })
  // A conversation may tell of the tool, and then nobody says how large its container is.
  if (left.size > 0) uses.push({ tool: { name: CONTAINER, atMost: undefined, certain: 1 }, ids: [...left] })
  return uses
}

/** What is paid for a tool whose vendor chose no container for it that is to be looked for. */
function settleAlone({ tool, isShared }: Use): HostedTool {
  if (!runsInContainer(tool) || tool.settled !== undefined) return tool
  // One is made for whoever is offered it, used or not.
  return { ...tool, settled: isShared ? 0 : tool.certain }
}

class Paying {
  readonly #parts: RelayParts
  readonly #transaction: Transaction<Schema>
  readonly #answer: PaidAnswer
  readonly #until: number

  constructor(parts: RelayParts, transaction: Transaction<Schema>, answer: PaidAnswer) {
    this.#parts = parts
    this.#transaction = transaction
    this.#answer = answer
    this.#until = parts.now() + SESSION_SECONDS
  }

  async settle(use: Use): Promise<HostedTool> {
    const { tool, ids } = use
    const { due, certain } = tool
    if (due) return { ...tool, settled: (await this.#claim(due.mark, due.since)) ? due.gigabytes : 0 }
    if (ids.length === 0) return settleAlone(use)
    let settled = 0
    for (const id of ids) settled += await this.#payFor(id, certain)
    return { ...tool, settled }
  }

  /** In gigabytes. */
  async #payFor(id: string, asked: number): Promise<number> {
    const { userId } = this.#answer
    const made = await this.#add(id, asked)
    const row = await this.#transaction
      .selectFrom('openai_containers')
      .selectAll()
      .where('id', '=', id)
      .$call(lockedOn(this.#parts.store.engine))
      .executeTakeFirst()
    // Whosever it is, the answer has made something of this size.
    if (row?.user_id !== userId) return asked
    if (row.mark === made) return (await this.#claim(row.mark, 0)) ? asked : 0
    return (await this.#isOurs(row)) || (await this.#isNext(row)) ? row.gigabytes : 0
  }

  /** As a new one, unless it is known. */
  async #add(id: string, gigabytes: number): Promise<string | undefined> {
    const { userId, tokenId, place } = this.#answer
    const known = await this.#transaction
      .selectFrom('openai_containers')
      .select('mark')
      .where('id', '=', id)
      .executeTakeFirst()
    if (known || !place) return undefined
    const mark = newMark()
    const now = this.#parts.now()
    await this.#transaction
      .insertInto('openai_containers')
      .values({
        ...{ mark, id, user_id: userId, token_id: tokenId },
        ...{ channel_id: place.channel.id, key_hash: hashAccount(this.#parts, place.key) },
        ...{ model: '', group: '', request_id: '', state: containerStates.kept, title: '', price: '' },
        ...{ gigabytes, created_at: now, changed_at: now, paid_until: this.#until },
      })
      .$call(unlessThere(this.#parts.store.engine))
      .execute()
    return mark
  }

  /** Another process may have come as far for the same answer, and died. */
  async #isOurs({ mark }: ContainerRow): Promise<boolean> {
    const paid = await this.#transaction
      .selectFrom('openai_container_windows')
      .select('since')
      .where('mark', '=', mark)
      .where('request_id', '=', this.#answer.requestId)
      .executeTakeFirst()
    return paid !== undefined
  }

  async #isNext(row: ContainerRow): Promise<boolean> {
    const since = await unpaidSince(this.#transaction, row, this.#parts.now())
    return since !== undefined && this.#claim(row.mark, since)
  }

  /** Whether this answer pays for what comes after `since`. */
  async #claim(mark: string, since: number): Promise<boolean> {
    const { requestId } = this.#answer
    const { engine } = this.#parts.store
    const until = this.#until
    // First the container, whoever comes: two that begin at either end would wait for each other.
    await this.#transaction
      .selectFrom('openai_containers')
      .select('mark')
      .where('mark', '=', mark)
      .$call(lockedOn(engine))
      .execute()
    await this.#transaction
      .insertInto('openai_container_windows')
      .values({ mark, since, until, request_id: requestId })
      .$call(unlessThere(engine))
      .execute()
    const { request_id: payer } = await this.#transaction
      .selectFrom('openai_container_windows')
      .select('request_id')
      .where('mark', '=', mark)
      .where('since', '=', since)
      .$call(lockedOn(engine))
      .executeTakeFirstOrThrow()
    if (payer !== requestId) {
      if (!(await hasComeBack({ db: this.#transaction }, payer))) return false
      await this.#transaction
        .updateTable('openai_container_windows')
        .set({ request_id: requestId, until })
        .where('mark', '=', mark)
        .where('since', '=', since)
        .execute()
    }
    await this.#transaction
      .updateTable('openai_containers')
      .set({ paid_until: until })
      .where('mark', '=', mark)
      .where('paid_until', '<', until)
      .execute()
    return true
  }
}
