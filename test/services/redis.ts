import { type DatabaseServer, startDatabase } from './database-process.ts'
import { needProgram } from './find-program.ts'

/** A private Redis that keeps nothing: what it held is gone after a stop, as after a flush. */
export function startRedis(): Promise<DatabaseServer> {
  const redis = needProgram('redis-server', 'valkey-server')
  return startDatabase({
    name: 'redis',
    command: (folder, port) => [
      redis,
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
    ],
    readyLine: /Ready to accept connections/i,
    orderly: 'SIGTERM',
    crash: 'SIGKILL',
    url: port => `redis://127.0.0.1:${port}`,
  })
}

/** For tests that let it hang. */
export async function redisPid(url: string): Promise<number> {
  const client = new Bun.RedisClient(url)
  const info = String(await client.send('INFO', ['server']))
  client.close()
  return Number(/process_id:(\d+)/.exec(info)?.[1])
}
