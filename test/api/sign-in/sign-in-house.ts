import { expect } from 'bun:test'
import { openProgram } from '../../open-program.ts'
import { Browser } from './sign-in-stand-in.ts'

export const password = 'users-pass-1'

/** The program without rate limits, with these settings, and a door into its database. */
export async function openHouse(options: Record<string, string> = {}) {
  const { program, database, root, close } = await openProgram()
  for (const [key, value] of Object.entries(options))
    expect([key, (await root.saveOption(key, value)).json.success]).toEqual([key, true])
  const argon2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
  const hash = await Bun.password.hash(password, argon2)
  const browser = () => new Browser(program.url)

  return {
    program,
    database,
    root,
    browser,
    rows: (sql: string) => database.query(sql).all() as Record<string, unknown>[],
    /** Adds a user and logs them in. */
    async addUser(username: string, fields: Record<string, string | number> = {}): Promise<Browser> {
      const row = {
        username,
        password_hash: hash,
        display_name: username,
        role: 1,
        status: 1,
        group: 'default',
        created_at: 1,
        ...fields,
      }
      const names = Object.keys(row).map(name => `"${name}"`)
      database
        .query(`insert into users (${names}) values (${names.map(() => '?')})`)
        .run(...Object.values(row))
      const client = browser()
      expect((await client.login(username, password)).json.success).toBe(true)
      return client
    },
    close,
  }
}
export type House = Awaited<ReturnType<typeof openHouse>>
