import type { Insertable } from 'kysely'
import { fitLabel, joinLabels, MOST_LABELS } from '../../../../../contract/labels.ts'
import { tokenStatuses } from '../../../../../contract/tokens.ts'
import { openBalances } from '../../../../ledger/opening.ts'
import type { ForeignRow } from '../../../../store/foreign-database.ts'
import { movedTokenHash } from '../../../../store/given-key.ts'
import type { Tokens } from '../../../../store/schema.ts'
import { NEVER } from '../../../tokens/token-view.ts'
import { clippedOf, textOf } from '../../read-row.ts'
import { allowedModels, namesIn, withoutStars } from './allowed-models.ts'
import type { Account, AccountImport } from './import-accounts.ts'
import type { MemberImport } from './import-members.ts'
import type { Moving } from './moving.ts'
import {
  quotaOf,
  readBudget,
  readDuration,
  readLimits,
  readRefill,
  secondsOf,
  unlimited,
} from './read-budget.ts'

interface Key {
  readonly row: Insertable<Tokens>
  readonly budget: number
}

/** What the keys of one look at LiteLLM's own pages belong to. */
const DASHBOARD = 'litellm-dashboard'
const DIGEST = /^[0-9a-f]{64}$/
const LONGEST_NAME = 100
/** Stands for what its team may use. */
const OF_TEAM = 'all-team-models'
/** Routes that calls of models go by. */
const CALLS = new Set(['*', 'llm_api_routes'])
/** What a key may have there and cannot have here. */
const columnsLeft = [
  'aliases',
  'config',
  'permissions',
  'router_settings',
  'model_max_budget',
  'budget_limits',
]
const metadataLeft = ['model_rpm_limit', 'model_tpm_limit', 'guardrails']

/** Makes tokens of LiteLLM's keys, which go on as they are: all that is known of them is a hash. */
export class KeyImport {
  readonly #moving: Moving
  readonly #accounts: AccountImport
  readonly #members: MemberImport
  readonly #budgets: ReadonlyMap<string, ForeignRow>
  /** Models that channels here serve. */
  readonly #served: ReadonlySet<string>

  constructor(
    moving: Moving,
    { accounts, members }: { readonly accounts: AccountImport; readonly members: MemberImport },
    budgets: ReadonlyMap<string, ForeignRow>,
    served: ReadonlySet<string>,
  ) {
    this.#moving = moving
    this.#accounts = accounts
    this.#members = members
    this.#budgets = budgets
    this.#served = served
  }

  async take(rows: readonly ForeignRow[]): Promise<void> {
    const { transaction, report, now } = this.#moving
    const here = await this.#those(rows.map(row => this.#hashOf(row)))
    const keys: Key[] = []
    for (const row of rows) {
      if (here.has(this.#hashOf(row)))
        report.tally(
          '{key has come before, and is left as it is|keys have come before, and are left as they are}',
        )
      else keys.push(...(await this.#read(row)))
    }
    if (keys.length === 0) return
    await transaction
      .insertInto('tokens')
      .values(keys.map(({ row }) => row))
      .execute()
    const ids = await this.#those(keys.map(({ row }) => row.key_hash))
    await openBalances(
      transaction,
      now,
      keys.map(({ row, budget }) => ({
        userId: row.user_id,
        tokenId: ids.get(row.key_hash) ?? 0,
        amount: budget,
      })),
    )
    report.add('keys', keys.length)
  }

  #hashOf(row: ForeignRow): string {
    return movedTokenHash(this.#moving.store, textOf(row, 'token'))
  }

  /** The ids of tokens that are here, deleted ones too, by their hashes. */
  async #those(hashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await this.#moving.transaction
      .selectFrom('tokens')
      .select(['id', 'key_hash'])
      .where('key_hash', 'in', hashes)
      .execute()
    return new Map(found.map(({ id, key_hash }) => [key_hash, id]))
  }

  async #read(row: ForeignRow): Promise<Key[]> {
    const { report, now, unit } = this.#moving
    if (textOf(row, 'team_id') === DASHBOARD) {
      report.tally("{key of LiteLLM's own pages is|keys of LiteLLM's own pages are} left out")
      return []
    }
    const name = clippedOf(row, LONGEST_NAME, 'key_alias', 'key_name') || 'LiteLLM'
    const note = (what: string): void => report.note(`key ${name}: ${what}`)
    if (!DIGEST.test(textOf(row, 'token'))) {
      note('left out, for what is kept of it is no hash')
      return []
    }
    const owner = await this.#ownerOf(row)
    if (!owner) {
      note('left out, for its account was deleted here')
      return []
    }
    const settled = this.#withBudget(row)
    const budget = readBudget(settled.max_budget, row.spend, unit, note)
    const refill = readRefill(settled, budget, now)
    const every = readDuration(settled.budget_duration)
    if (budget && refill.refill_at === 0 && every !== '')
      note(`its budget was renewed every ${every}, which nothing here is; it has what was left of it`)
    this.#noteLeft(row, note)
    const limits = readLimits(settled)
    const models = this.#modelsOf(row, owner, note)
    return [
      {
        budget: budget?.left ?? 0,
        row: {
          user_id: owner.id,
          created_by: this.#members.memberOf(owner.id, row),
          name,
          key_hash: this.#hashOf(row),
          key_sealed: '',
          status: this.#isShut(row, limits !== undefined, note)
            ? tokenStatuses.disabled
            : tokenStatuses.enabled,
          created_time: secondsOf(row.created_at) ?? now,
          accessed_time: secondsOf(row.last_active) ?? 0,
          expired_time: secondsOf(row.expires) ?? NEVER,
          remain_quota: 0,
          used_quota: quotaOf(row.spend, unit) ?? 0,
          unlimited_quota: Number(!budget),
          model_limits_enabled: Number(models !== undefined),
          model_limits: models?.join(',') ?? '',
          allow_ips: null,
          group: '',
          ...(limits ?? unlimited),
          ...refill,
          labels: readLabels(row, note),
          deleted_at: null,
        },
      },
    ]
  }

  /** A team's keys spend what is the team's, as they did there; whoever made them is not asked. */
  async #ownerOf(row: ForeignRow): Promise<Account | null> {
    const team = this.#accounts.find('team', textOf(row, 'team_id'))
    if (team !== undefined) return team
    const user = this.#accounts.find('user', textOf(row, 'user_id'))
    if (user !== undefined) return user
    this.#moving.report.tally(
      "{key is nobody's there, and has an account of its|keys are nobody's there, and have an account of their} own here",
    )
    return this.#accounts.ofNobody()
  }

  /** What a key does not say itself its budget says, where it shares one with others. */
  #withBudget(row: ForeignRow): ForeignRow {
    const shared = this.#budgets.get(textOf(row, 'budget_id'))
    if (!shared) return row
    const own = Object.entries(row).filter(([, value]) => value !== null)
    return { ...shared, ...Object.fromEntries(own) }
  }

  #modelsOf(row: ForeignRow, owner: Account, note: (what: string) => void): string[] | undefined {
    const own = namesIn(row.models)
    const allowed = allowedModels([own.includes(OF_TEAM) ? [] : own, owner.models])
    if (!allowed) return undefined
    const models = withoutStars(allowed, this.#served).filter(name => !name.includes(','))
    for (const name of allowed)
      if (name.includes(',') || (name.includes('*') && withoutStars([name], this.#served).length === 0))
        note(`may use ${name}, which no model here is`)
    return models
  }

  #isShut(row: ForeignRow, isOpen: boolean, note: (what: string) => void): boolean {
    if (row.blocked === true) return true
    const routes = namesIn(row.allowed_routes)
    const isForCalls = routes.length === 0 || routes.some(route => CALLS.has(route))
    if (!isForCalls) note(`disabled, for it was good for ${routes.join(', ')} only`)
    if (!isOpen) note('disabled, as its limit was 0')
    return !isForCalls || !isOpen
  }

  #noteLeft(row: ForeignRow, note: (what: string) => void): void {
    const metadata = asObject(row.metadata)
    const left = [
      ...columnsLeft.filter(column => hasContent(row[column])),
      ...metadataLeft.filter(name => hasContent(metadata[name])),
    ]
    if (left.length > 0) note(`without ${left.join(', ')}`)
  }
}

/** What LiteLLM tags all calls of a key with; more than a token has here are left out. */
function readLabels(row: ForeignRow, note: (what: string) => void): string | null {
  const tags = namesIn(asObject(row.metadata).tags)
  const labels = new Set(tags.flatMap(tag => fitLabel(tag) ?? []))
  const kept = [...labels].slice(0, MOST_LABELS)
  if (kept.length < labels.size) note(`with ${MOST_LABELS} of its ${labels.size} tags`)
  return kept.length === 0 ? null : joinLabels(kept)
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function hasContent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}
