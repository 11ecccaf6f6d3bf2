import type { Insertable } from 'kysely'
import { roles, userStatuses } from '../../../contract/users.ts'
import { openBalances } from '../../ledger/opening.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import type { Users } from '../../store/schema.ts'
import { hashAccessToken } from '../accounts/access-tokens.ts'
import { asEmail } from '../accounts/email-address.ts'
import { hashPassword, isKeepable, verifyPassword } from '../accounts/passwords.ts'
import type { Family } from './family.ts'
import { type ImportRun, isFirst } from './import-run.ts'
import { amountOf, clippedOf, deletedAt, idOf, integerOf, textOf } from './read-row.ts'
import { ImportRefused } from './report.ts'

type User = Insertable<Users> & { readonly id: number }

/** What the older tools give their first account. */
const KNOWN_PASSWORD = '123456'
const LONGEST_NAME = 100
const LONGEST_ID = 255
/** Shorter ones can be guessed; the older tools make 32 letters. */
const SHORTEST_ACCESS_TOKEN = 16

/** Bindings that belong to one account only. */
const bindings = ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id', 'discord_id'] as const

export class UserImport {
  readonly #run: ImportRun
  readonly #family: Family
  /** Whose ids those in `oidc_id` are. */
  readonly #issuer: string | undefined

  constructor(run: ImportRun, family: Family, issuer: string | undefined) {
    this.#run = run
    this.#family = family
    this.#issuer = issuer
  }

  async take(rows: readonly ForeignRow[]): Promise<void> {
    const { transaction, report, users, now } = this.#run
    const came: { user: User; quota: number }[] = []
    for (const row of rows) {
      const user = await this.#read(row)
      if (user) came.push({ user, quota: this.#quotaOf(row, user) })
    }
    if (came.length === 0) return
    await transaction
      .insertInto('users')
      .values(came.map(({ user }) => user))
      .execute()
    await openBalances(
      transaction,
      now,
      came.map(({ user, quota }) => ({ userId: user.id, tokenId: 0, amount: quota })),
    )
    for (const { user } of came) users.add(user.id)
    report.add('users', came.length)
  }

  async #read(row: ForeignRow): Promise<User | undefined> {
    const { store, report, now } = this.#run
    const id = idOf(row)
    const name = textOf(row, 'username')
    if (id <= 0 || name === '' || name.length > LONGEST_NAME) {
      report.note(`user ${id}: left out, for a name that cannot be kept`)
      return undefined
    }
    const username = this.#nameOf(id, name)
    const role = integerOf(row, 'role')
    const accessToken = this.#accessTokenOf(row, username)
    // Whoever moves in sees whom they let in.
    if (role === roles.root || role === roles.admin)
      report.note(
        `user ${username}: is ${role === roles.root ? 'a super administrator' : 'an administrator'}`,
      )
    return {
      id,
      username,
      password_hash: await this.#passwordOf(row, username, role),
      display_name: clippedOf(row, LONGEST_NAME, 'display_name') || username,
      role: role > roles.user && Object.values<number>(roles).includes(role) ? role : roles.user,
      status: integerOf(row, 'status') === userStatuses.active ? userStatuses.active : userStatuses.banned,
      email: this.#emailOf(row, username),
      ...this.#bindingsOf(row, username),
      access_token_hash: accessToken === undefined ? null : hashAccessToken(store, accessToken),
      quota: 0,
      used_quota: Math.max(0, integerOf(row, 'used_quota')),
      request_count: Math.max(0, integerOf(row, 'request_count')),
      group: clippedOf(row, 64, 'group') || 'default',
      aff_code: this.#own('aff_code', clippedOf(row, 32, 'aff_code')) ?? null,
      aff_count: Math.max(0, integerOf(row, 'aff_count')),
      aff_quota: Math.max(0, integerOf(row, 'aff_quota')),
      aff_history_quota: Math.max(0, integerOf(row, 'aff_history', 'aff_history_quota')),
      inviter_id: Math.max(0, integerOf(row, 'inviter_id')),
      created_at: integerOf(row, 'created_at', 'created_time') || now,
      deleted_at: deletedAt(row),
    }
  }

  /** Names that differ by a space are two there. Who came later gets another, rather than to lose the account. */
  #nameOf(id: number, name: string): string {
    if (isFirst(this.#run, 'username', name)) return name
    const other = `${name.slice(0, LONGEST_NAME / 2)}-${id}`
    this.#run.report.note(`user ${name}: is now ${other}, for another has that name`)
    return this.#nameOf(id, other)
  }

  /** The older tools let a wallet fall below zero; here none may. */
  #quotaOf(row: ForeignRow, { username }: User): number {
    const quota = amountOf(row, 'quota')
    if (quota === undefined)
      this.#run.report.note(`user ${username}: a balance of ${String(row.quota)} becomes 0`)
    return quota ?? 0
  }

  /** Kept as it is, and replaced by a better hash at the next login. A password that everybody knows is not kept. */
  async #passwordOf(row: ForeignRow, username: string, role: number): Promise<string> {
    const hash = clippedOf(row, LONGEST_ID, 'password')
    if (hash !== '' && !isKeepable(hash)) {
      this.#run.report.note(
        `user ${username}: without the password, whose hash is none that is made for logins`,
      )
      return ''
    }
    if (role < roles.root || !(await verifyPassword(KNOWN_PASSWORD, hash))) return hash
    const { rootPassword, report } = this.#run
    if (rootPassword === undefined)
      throw new ImportRefused(
        `${username} still has the password that the older tools begin with. Set ROOT_PASSWORD, and it gets that one.`,
      )
    report.note(
      `user ${username}: gets the password in ROOT_PASSWORD instead of the one that everybody knows`,
    )
    return hashPassword(rootPassword)
  }

  #emailOf(row: ForeignRow, username: string): string | null {
    const text = textOf(row, 'email')
    if (text === '') return null
    const email = this.#own('email', asEmail(text))
    if (email === undefined)
      this.#run.report.note(`user ${username}: without the address ${text}, which is none or another's`)
    return email ?? null
  }

  #accessTokenOf(row: ForeignRow, username: string): string | undefined {
    const text = textOf(row, 'access_token')
    const isGuessable = text.length < SHORTEST_ACCESS_TOKEN
    const own = isGuessable ? undefined : this.#own('access_token', text)
    if (text !== '' && own === undefined)
      this.#run.report.note(
        `user ${username}: without the system access token, which is ${isGuessable ? 'too short' : "another's"}`,
      )
    return own
  }

  #bindingsOf(row: ForeignRow, username: string): Pick<User, (typeof bindings)[number]> {
    const entries = bindings.map(column => {
      const text = textOf(row, column)
      const id = text === '' ? text : this.#idHere(column, text)
      const own = text.length > LONGEST_ID ? undefined : this.#own(column, id)
      if (text !== '' && own === undefined)
        this.#run.report.note(
          `user ${username}: without ${column} ${text}, which is ${id ? "another's" : 'of nobody known'}`,
        )
      return [column, own ?? null]
    })
    return Object.fromEntries(entries)
  }

  /** Undefined where it would be somebody else's here: one-api knows people at GitHub by name, which may be of digits. */
  #idHere(column: (typeof bindings)[number], text: string): string | undefined {
    if (column === 'oidc_id') return this.#issuer && `${this.#issuer}#${text}`
    const isNoNumber = column === 'github_id' && this.#family === 'one-api' && /^\d+$/.test(text)
    return isNoNumber ? undefined : text
  }

  /** Undefined when there is none, or somebody has it already. */
  #own(column: string, value: string | undefined): string | undefined {
    return value && isFirst(this.#run, column, value) ? value : undefined
  }
}
