import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './authority.ts'
import { type DatabaseServer, startDatabase } from './database-process.ts'
import { needProgram } from './find-program.ts'

/** A private Redis that keeps nothing: what it held is gone after a stop, as after a flush. */
export function startRedis({
  certificate,
  isCluster = false,
}: {
  /** Speaks TLS, and nothing else. */
  certificate?: Certificate
  /** One of a cluster, of which it is the only one, and which has all keys once it is told so. */
  isCluster?: boolean
} = {}): Promise<DatabaseServer> {
  const redis = needProgram('redis-server', 'valkey-server')
  return startDatabase({
    name: 'redis',
    command: (folder, port) => [
      redis,
      ...(certificate ? speakTls(folder, port, certificate) : ['--port', String(port)]),
      ...(isCluster ? ['--cluster-enabled', 'yes'] : []),
      ...['--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
    ],
    readyLine: /Ready to accept connections/i,
    orderly: 'SIGTERM',
    crash: 'SIGKILL',
    url: port => `${certificate ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
  })
}

function speakTls(folder: string, port: number, { key, cert }: Certificate): string[] {
  const files = { key: join(folder, 'server.key'), cert: join(folder, 'server.crt') }
  writeFileSync(files.key, key)
  writeFileSync(files.cert, cert)
  const shown = ['--tls-cert-file', files.cert, '--tls-key-file', files.key, '--tls-auth-clients', 'no']
  return ['--port', '0', '--tls-port', String(port), ...shown, '--tls-ca-cert-file', files.cert]
}

/** For tests that let it hang. */
export async function redisPid(url: string): Promise<number> {
  const client = new Bun.RedisClient(url)
  const info = String(await client.send('INFO', ['server']))
  client.close()
  return Number(/process_id:(\d+)/.exec(info)?.[1])
}
