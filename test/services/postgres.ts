import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './authority.ts'
import { type DatabaseServer, startDatabase } from './database-process.ts'
import { needProgram } from './find-program.ts'

/**
 * A private PostgreSQL. Without fsync a committed row still outlives the process (the system holds it), so
 * crash tests are honest and the rest is fast; measurements ask for a durable one.
 */
export function startPostgres({
  durable = false,
  connections = 200,
  certificate,
}: {
  durable?: boolean
  connections?: number
  /** Offers TLS too. */
  certificate?: Certificate
} = {}): Promise<DatabaseServer> {
  const postgres = needProgram('postgres')
  const initdb = needProgram('initdb')
  return startDatabase({
    name: 'postgres',
    account: 'postgres',
    prepare: folder => [
      initdb,
      `--pgdata=${join(folder, 'data')}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    command: (folder, port) => [
      postgres,
      '-D',
      join(folder, 'data'),
      ...options({
        port,
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        max_connections: connections,
        fsync: durable ? 'on' : 'off',
        full_page_writes: durable ? 'on' : 'off',
        // It looks into the template now and then, and what somebody looks into cannot be copied.
        autovacuum: durable ? 'on' : 'off',
        // Queries over tables of which nothing is noted look dear, and compiling one takes longer than running it.
        ...(durable ? {} : { jit: 'off' }),
        ...(certificate ? offerTls(join(folder, 'data'), certificate) : {}),
      }),
    ],
    readyLine: /database system is ready to accept connections/,
    orderly: 'SIGINT',
    crash: 'SIGQUIT',
    url: port => `postgres://postgres@127.0.0.1:${port}/postgres`,
  })
}

function options(values: Record<string, string | number>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The key must be the server's own, and nobody else's to read. */
function offerTls(folder: string, { key, cert }: Certificate): Record<string, string> {
  const { uid, gid } = statSync(folder)
  for (const [name, text] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    chownSync(join(folder, name), uid, gid)
  }
  return { ssl: 'on' }
}
