import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { roles, userStatuses } from '../../../../../contract/users.ts'
import { openBalances } from '../../../../ledger/opening.ts'
import { bringLimits } from '../../../../ledger/spending/bring-limits.ts'
import type { ForeignRow } from '../../../../store/foreign-database.ts'
import type { Users } from '../../../../store/schema.ts'
import { hasUnseen } from '../../../accounts/check-username.ts'
import { asEmail } from '../../../accounts/email-address.ts'
import { LONGEST_DISPLAY_NAME } from '../../../accounts/own-account.ts'
import { newUser } from '../../../setup.ts'
import { clippedOf, textOf } from '../../read-row.ts'
import { namesIn } from './allowed-models.ts'
import { type ReadLimit, readRenewed } from './import-limits.ts'
import type { Moving } from './moving.ts'
import { quotaOf, readBudget, readDuration, readLimits, secondsOf, unlimited } from './read-budget.ts'

/** Who may have keys: a user, a team, or the one who gets those that are nobody's. */
export type Kind = 'user' | 'team' | 'nobody'

export interface Account {
  readonly id: number
  /** The models that all of its keys are limited to; none for any. */
  readonly models: readonly string[]
}

interface Newcomer {
  readonly name: string
  readonly fact: string
  readonly models: readonly string[]
  readonly row: Insertable<Users>
  readonly quota: number
  readonly limit: ReadLimit | undefined
}

/** The first administrator is called so, and may come later. */
const RESERVED = 'root'
const NOBODY = 'litellm'
const LONGEST_NAME = 50
/** An end that no account comes near. */
const MOST_OF_ONE_NAME = 100_000

/**
 * Makes accounts of LiteLLM's users and teams. Whoever has come is written down with the id they had there, in the
 * same transaction as their balance: however often this is done, they come once.
 */
export class AccountImport {
  readonly #moving: Moving
  readonly #names: Set<string>
  readonly #addresses: Set<string>
  /** By kind and id there; null for one that came and was deleted. */
  readonly #accounts = new Map<string, Account | null>()
  readonly #arrived = new Set<string>()

  private constructor(moving: Moving, names: Iterable<string>, addresses: Iterable<string>) {
    this.#moving = moving
    this.#names = new Set([RESERVED, ...names])
    this.#addresses = new Set(addresses)
  }

  static async begin(moving: Moving): Promise<AccountImport> {
    const here = await moving.transaction.selectFrom('users').select(['username', 'email']).execute()
    const addresses = here.flatMap(({ email }) => email?.toLowerCase() ?? [])
    return new AccountImport(
      moving,
      here.map(({ username }) => username),
      addresses,
    )
  }

  /** Null for one that came and was deleted here; undefined for one that is not known. */
  find(kind: Kind, id: string): Account | null | undefined {
    return this.#accounts.get(`${kind} ${id}`)
  }

  /** Whether it was not here before. */
  hasArrived(kind: Kind, id: string): boolean {
    return this.#arrived.has(`${kind} ${id}`)
  }

  async takeUsers(rows: readonly ForeignRow[]): Promise<void> {
    await this.#take('user', rows, row => {
      const email = textOf(row, 'user_email')
      const names = [textOf(row, 'user_alias'), email.split('@', 1)[0] ?? '', textOf(row, 'user_id')]
      const newcomer = this.#read('user', textOf(row, 'user_id'), names, row)
      if (textOf(row, 'password') !== '')
        this.#moving.report.tally('{user comes without a password|users come without their passwords}')
      const role = textOf(row, 'user_role')
      if (role === 'proxy_admin' || role === 'org_admin')
        this.#moving.report.note(`user ${newcomer.name}: was ${role}, and is no administrator here`)
      return { ...newcomer, row: { ...newcomer.row, email: this.#addressOf(email, newcomer.name) } }
    })
  }

  async takeTeams(rows: readonly ForeignRow[]): Promise<void> {
    await this.#take('team', rows, row =>
      this.#read('team', textOf(row, 'team_id'), [textOf(row, 'team_alias'), textOf(row, 'team_id')], row),
    )
  }

  /** Made when it is first asked for. */
  async ofNobody(): Promise<Account | null> {
    const known = this.find('nobody', '')
    if (known !== undefined) return known
    await this.#take('nobody', [{}], row => this.#read('nobody', '', [NOBODY], row))
    return this.find('nobody', '') ?? null
  }

  async #take(kind: Kind, rows: readonly ForeignRow[], read: (row: ForeignRow) => Newcomer): Promise<void> {
    const { transaction, report, now } = this.#moving
    const facts = rows.map(row => factOf(kind, textOf(row, `${kind}_id`)))
    const before = await this.#whoCame(facts)
    const newcomers: (Newcomer & { readonly key: string })[] = []
    for (const [at, row] of rows.entries()) {
      const id = textOf(row, `${kind}_id`)
      const came = before.get(facts[at] ?? '')
      if (came === undefined) newcomers.push({ ...read(row), key: `${kind} ${id}` })
      else
        this.#accounts.set(`${kind} ${id}`, came === null ? null : { id: came, models: namesIn(row.models) })
    }
    report.tally(
      '{account has come before, and is left as it is|accounts have come before, and are left as they are}',
      rows.length - newcomers.length,
    )
    if (newcomers.length === 0) return
    await transaction
      .insertInto('users')
      .values(newcomers.map(({ row }) => row))
      .execute()
    const made = await transaction
      .selectFrom('users')
      .select(['id', 'username'])
      .where(
        'username',
        'in',
        newcomers.map(({ name }) => name),
      )
      .execute()
    const ids = new Map(made.map(({ id, username }) => [username, id]))
    const come = newcomers.map(each => ({ ...each, id: ids.get(each.name) ?? 0 }))
    await transaction
      .insertInto('system')
      .values(come.map(({ fact, id }) => ({ key: fact, value: String(id) })))
      .execute()
    await openBalances(
      transaction,
      now,
      come.map(({ id, quota }) => ({ userId: id, tokenId: 0, amount: quota })),
    )
    const limits = come.flatMap(({ id, limit }) =>
      limit ? [{ of: { userId: id, subject: 'account', memberId: 0 } as const, ...limit }] : [],
    )
    if (limits.length > 0) {
      await bringLimits(transaction, limits, now)
      report.add('limits of accounts', limits.length)
    }
    for (const { key, id, models } of come) {
      this.#accounts.set(key, { id, models })
      this.#arrived.add(key)
    }
    report.add('accounts', come.length)
  }

  /** Their ids here by what was written down of them; null where that account is deleted. */
  async #whoCame(facts: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
    const { transaction } = this.#moving
    const known = await transaction.selectFrom('system').selectAll().where('key', 'in', facts).execute()
    if (known.length === 0) return new Map()
    const ids = known.map(({ value }) => Number(value))
    const there = await transaction
      .selectFrom('users')
      .select('id')
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    const alive = new Set(there.map(({ id }) => id))
    return new Map(known.map(({ key, value }) => [key, alive.has(Number(value)) ? Number(value) : null]))
  }

  #read(kind: Kind, id: string, names: readonly string[], row: ForeignRow): Newcomer {
    const { report, now, unit, wallet } = this.#moving
    const dollars = wallet === unit ? '1 dollar' : `${wallet / unit} dollars`
    const name = this.#nameOf(names)
    const said = `${kind} ${name}`
    const budget = readBudget(row.max_budget, row.spend, unit, what => report.note(`${said}: ${what}`))
    const limit = budget && readRenewed(row, budget, now)
    if (!budget)
      report.tally(
        `{account had no budget there: it has|accounts had no budget there: each has} ${dollars} here`,
      )
    if (limit)
      report.tally(
        `{account had a budget that was renewed: it has|accounts had budgets that were renewed: each has} ${dollars} here, and a limit to what it spends`,
      )
    const every = readDuration(row.budget_duration)
    if (budget && !limit && every !== '')
      report.note(
        `${said}: had a new budget every ${every}, which nothing here is; it has what was left of it`,
      )
    const limits = readLimits(row)
    const isShut = row.blocked === true || limits === undefined
    if (isShut) report.note(`${said}: is banned, as there ${limits ? 'it was blocked' : 'its limit was 0'}`)
    return {
      name,
      fact: factOf(kind, id),
      models: namesIn(row.models),
      quota: budget && !limit ? budget.left : wallet,
      limit,
      row: {
        ...newUser(name, '', secondsOf(row.created_at) ?? now),
        display_name: clipped(names.find(each => each !== '') ?? name, LONGEST_DISPLAY_NAME),
        role: kind === 'team' ? roles.team : roles.user,
        status: isShut ? userStatuses.banned : userStatuses.active,
        used_quota: quotaOf(row.spend, unit) ?? 0,
        email: null,
        ...(limits ?? unlimited),
      },
    }
  }

  /** The first of these that is a name; who comes later gets a number behind it. */
  #nameOf(candidates: readonly string[]): string {
    const [name = NOBODY] = candidates
      .map(text => clipped(text, LONGEST_NAME))
      .filter(text => text !== '' && !text.includes('@') && !hasUnseen(text))
    for (let more = 1; more < MOST_OF_ONE_NAME; more++) {
      const own = more === 1 ? name : `${name}-${more}`
      if (this.#names.size < this.#names.add(own).size) return own
    }
    throw new Error('too many of one name')
  }

  #addressOf(text: string, name: string): string | null {
    if (text === '') return null
    const email = asEmail(text)
    if (email !== undefined && this.#addresses.size < this.#addresses.add(email).size) return email
    this.#moving.report.note(`user ${name}: without the address ${text}, which is none or another's`)
    return null
  }
}

function clipped(text: string, most: number): string {
  return clippedOf({ text }, most, 'text').trim()
}

/** What is written down of whoever has come; ids there may be of any length. */
function factOf(kind: Kind, id: string): string {
  return `litellm:${createHash('sha256').update(`${kind}\0${id}`).digest('base64url')}`
}
