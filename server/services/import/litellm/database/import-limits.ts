import type { SpendPeriod } from '../../../../../contract/spend-limits.ts'
import { type BroughtLimit, bringLimits } from '../../../../ledger/spending/bring-limits.ts'
import { memberOf } from '../../../../ledger/spending/set-limits.ts'
import { windowEnd } from '../../../../ledger/spending/window.ts'
import type { ForeignRow } from '../../../../store/foreign-database.ts'
import { textOf } from '../../read-row.ts'
import type { AccountImport } from './import-accounts.ts'
import type { MemberImport } from './import-members.ts'
import type { Moving } from './moving.ts'
import { type Budget, readBudget, readDuration, secondsOf } from './read-budget.ts'

/** What of a limit is read before it is known whose it is. */
export type ReadLimit = Omit<BroughtLimit, 'of'>

const periods: Readonly<Record<string, SpendPeriod>> = {
  ...{
    '5h': 'five-hours',
    '1d': 'day',
    '24h': 'day',
    '7d': 'week',
    '1w': 'week',
    '30d': 'month',
    '1mo': 'month',
  },
}

/** A budget that is renewed there, as a limit with what was spent of it; undefined where nothing here is renewed so. */
export function readRenewed(row: ForeignRow, { whole, left }: Budget, now: number): ReadLimit | undefined {
  const period = periods[readDuration(row.budget_duration)]
  if (!period) return undefined
  const endsAt = secondsOf(row.budget_reset_at) || windowEnd(period, now)
  return { period, amount: whole, spent: whole - left, endsAt }
}

/** What members may spend within teams that come now; of teams that came before, people here decide. */
export class MemberLimitImport {
  readonly #moving: Moving
  readonly #accounts: AccountImport
  readonly #members: MemberImport
  readonly #budgets: ReadonlyMap<string, ForeignRow>

  constructor(
    moving: Moving,
    { accounts, members }: { readonly accounts: AccountImport; readonly members: MemberImport },
    budgets: ReadonlyMap<string, ForeignRow>,
  ) {
    this.#moving = moving
    this.#accounts = accounts
    this.#members = members
    this.#budgets = budgets
  }

  async take(rows: readonly ForeignRow[]): Promise<void> {
    const { transaction, report, now } = this.#moving
    const limits = rows.flatMap(row => this.#read(row))
    if (limits.length === 0) return
    await bringLimits(transaction, limits, now)
    report.add('limits of members', limits.length)
  }

  #read(row: ForeignRow): BroughtLimit[] {
    const { report, now, unit } = this.#moving
    const [teamId, userId] = [textOf(row, 'team_id'), textOf(row, 'user_id')]
    const shared = this.#budgets.get(textOf(row, 'budget_id'))
    const said = `member ${userId} of team ${teamId}`
    const budget =
      shared && readBudget(shared.max_budget, row.spend, unit, what => report.note(`${said}: ${what}`))
    if (!shared || !budget) return []
    const team = this.#accounts.find('team', teamId)
    if (team && !this.#accounts.hasArrived('team', teamId)) return []
    const member = team && this.#members.memberOf(team.id, row)
    if (!team || !member) {
      report.tally(
        '{budget of a member is left out, for that one is|budgets of members are left out, for these are} in no such team here',
      )
      return []
    }
    const { whole, left } = budget
    const every = readDuration(shared.budget_duration)
    const renewed = readRenewed(shared, budget, now)
    if (!renewed && every !== '')
      report.note(
        `${said}: had a new budget every ${every}, which nothing here is; what was left is for good`,
      )
    const forGood = { period: 'none', amount: whole, spent: whole - left, endsAt: 0 } as const
    return [{ of: memberOf(team.id, member), ...(renewed ?? forGood) }]
  }
}
