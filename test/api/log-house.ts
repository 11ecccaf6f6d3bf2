import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Client, rootClient } from '../client.ts'
import { type Program, ROOT_PASSWORD, startProgram } from '../program.ts'

const password = 'users-pass-1'

export interface LogHouse {
  readonly program: Program
  readonly database: Database
  readonly root: Client
  readonly admin: Client
  readonly alice: Client
  readonly bob: Client
  addLog(row: Partial<Record<string, string | number>>): void
  stop(): Promise<void>
}

/** The program with an administrator and two users, and its database to fill. */
export async function openLogHouse(): Promise<LogHouse> {
  const program = await startProgram({ ROOT_PASSWORD })
  const root = await rootClient(program.url)
  for (const key of ['CriticalRateLimit', 'GlobalApiRateLimit']) await root.saveOption(key, '0')
  const database = new Database(join(program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 5000')
  const hash = await Bun.password.hash(password)
  const enter = async (name: string, role: number): Promise<Client> => {
    database
      .query(
        'insert into users (username, password_hash, role, status, "group", created_at) values (?, ?, ?, 1, ?, 1)',
      )
      .run(name, hash, role, 'default')
    const client = new Client(program.url)
    await client.login(name, password)
    return client
  }
  const admin = await enter('admin', 10)
  const alice = await enter('alice', 1)
  const bob = await enter('bob', 1)
  return {
    program,
    database,
    root,
    admin,
    alice,
    bob,
    addLog: row => insert(database, 'logs', { ...blankLog, ...row }),
    async stop() {
      database.close()
      await program.stop()
    },
  }
}

const blankLog = {
  created_at: 0,
  type: 2,
  user_id: 0,
  username: '',
  token_id: 0,
  token_name: '',
  model_name: '',
  channel_id: 0,
  group: 'default',
  is_stream: 0,
  use_time: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  quota: 0,
  request_id: '',
  content: '',
  other: '',
}

export function insert(
  database: Database,
  table: string,
  row: Partial<Record<string, string | number>>,
): void {
  const names = Object.keys(row)
  database
    .query(
      `insert into ${table} (${names.map(name => `"${name}"`).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    )
    .run(...Object.values(row).map(value => value ?? null))
}
