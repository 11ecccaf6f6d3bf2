import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseServer, startDatabase } from './database-process.ts'
import { needProgram } from './find-program.ts'

/** A pooler before a PostgreSQL, which gives every transaction whichever session is free. */
export function startPgbouncer(serverUrl: string): Promise<DatabaseServer> {
  const pgbouncer = needProgram('pgbouncer')
  const { hostname, port: serverPort, username, pathname } = new URL(serverUrl)
  return startDatabase({
    name: 'pgbouncer',
    account: 'postgres',
    command: (folder, port) => {
      const file = join(folder, 'pgbouncer.ini')
      writeFileSync(
        file,
        [
          '[databases]',
          `* = host=${hostname} port=${serverPort} user=${username}`,
          '[pgbouncer]',
          'listen_addr = 127.0.0.1',
          `listen_port = ${port}`,
          'unix_socket_dir =',
          'auth_type = any',
          'pool_mode = transaction',
          'default_pool_size = 20',
          'max_client_conn = 200',
        ].join('\n'),
      )
      return [pgbouncer, file]
    },
    readyLine: /process up/,
    orderly: 'SIGINT',
    crash: 'SIGKILL',
    url: port => `postgres://${username}@127.0.0.1:${port}${pathname}`,
  })
}
