import { log } from '../../log.ts'
import type { BunSqlDialect } from '../bun-sql/bun-sql-dialect.ts'
import type { Bus, Transport } from './bus.ts'

const CHANNEL = 'tollgate_changes'

/** Changes over PostgreSQL LISTEN/NOTIFY, on one connection that is made again when it drops. */
export async function postgresTransport(
  bus: Bus,
  { listener, pool }: Pick<BunSqlDialect, 'listener' | 'pool'>,
  self: string,
): Promise<Transport> {
  const heard = (payload: string): void => {
    const [sender, topic = ''] = payload.split(' ')
    if (sender !== self) bus.heard(topic)
  }
  const listening = (): void => {
    bus.catchUp().catch(error => log.debug('could not catch up', { error }))
  }
  const subscription = await listener.listen(CHANNEL, heard, listening)
  return {
    // While it is away so is the database, and nothing changes.
    reachesNodes: true,
    send: async topic => {
      await pool.sql.notify(CHANNEL, `${self} ${topic}`)
    },
    close: async () => {
      await subscription.unlisten().catch(() => {})
    },
  }
}
