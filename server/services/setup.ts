import { password as passwordRule } from '../../contract/credentials.ts'
import { roles, userStatuses } from '../../contract/users.ts'
import { AppError } from '../errors.ts'
import { isSameSecret } from '../store/same-secret.ts'
import { readFact } from '../store/system-facts.ts'
import { checkUsername } from './accounts/check-username.ts'
import { hashPassword } from './accounts/passwords.ts'
import type { App } from './app.ts'
import type { Handlers } from './call.ts'
import { refuseClash } from './refuse-clash.ts'

const DONE = 'setup-done'

/** Once set-up is done it stays done, so the answer is remembered. */
export class Setup {
  readonly #app: App
  #done = false

  constructor(app: App) {
    this.#app = app
  }

  async isDone(): Promise<boolean> {
    if (this.#done) return true
    const { db } = this.#app.store
    this.#done =
      (await readFact(db, DONE)) !== undefined ||
      (await db
        .selectFrom('users')
        .select('id')
        .where('role', '>=', roles.root)
        .limit(1)
        .executeTakeFirst()) !== undefined
    return this.#done
  }

  /** What isDone last found, for those who cannot wait. */
  get known(): boolean {
    return this.#done
  }

  /** The same on every worker and node, and of no use once set-up is done. */
  get token(): string {
    return this.#app.store.cipher.hash('setup-token', this.#app.store.instanceId).slice(0, 40)
  }

  async createRoot(username: string, password: string): Promise<void> {
    checkUsername(username)
    if (!passwordRule.safeParse(password).success) throw new AppError('user.password-length')
    const passwordHash = await hashPassword(password)
    const { store, now } = this.#app
    await refuseClash(
      store.change('users', async transaction => {
        // The unique fact comes first: of two set-ups at once the second fails here and leaves nothing.
        await transaction
          .insertInto('system')
          .values({ key: DONE, value: String(now()) })
          .execute()
        await transaction
          .insertInto('users')
          .values({
            ...newUser(username.trim(), passwordHash, now()),
            role: roles.root,
            display_name: 'Root User',
          })
          .execute()
      }),
      'setup.closed',
    )
    this.#done = true
  }
}

/** A user as every way of making one begins. */
export function newUser(username: string, passwordHash: string, at: number) {
  return {
    username,
    password_hash: passwordHash,
    display_name: username,
    role: roles.user,
    status: userStatuses.active,
    quota: 0,
    used_quota: 0,
    request_count: 0,
    group: 'default',
    aff_count: 0,
    aff_quota: 0,
    aff_history_quota: 0,
    inviter_id: 0,
    created_at: at,
  }
}

export function setupHandlers(setup: Setup): Handlers<'setupState' | 'setup'> {
  return {
    async setupState() {
      return { needed: !(await setup.isDone()) }
    },
    async setup({ body }) {
      if (await setup.isDone()) throw new AppError('setup.closed')
      if (!isSameSecret(setup.token, body.token.trim())) throw new AppError('setup.bad-token')
      await setup.createRoot(body.username, body.password)
    },
  }
}
