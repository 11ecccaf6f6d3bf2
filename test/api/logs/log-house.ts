import type { Database } from 'bun:sqlite'
import { type Client, loggedIn } from '../../client.ts'
import { openProgram } from '../../open-program.ts'
import type { Program } from '../../program.ts'

export const password = 'users-pass-1'

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
  const { program, database, root, close } = await openProgram()
  const hash = await Bun.password.hash(password)
  const enter = async (name: string, role: number): Promise<Client> => {
    database
      .query(
        'insert into users (username, password_hash, role, status, "group", created_at) values (?, ?, ?, 1, ?, 1)',
      )
      .run(name, hash, role, 'default')
    return loggedIn(program.url, name, password)
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
    stop: close,
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
