import { RedisClient } from 'bun'
import { log } from '../../log.ts'
import type { Bus, Transport } from './bus.ts'

const CHANNEL = 'tollgate:changes'

/** Changes over Redis pub/sub. Redis holds nothing of ours: losing it loses only speed. */
export async function redisTransport(bus: Bus, url: string, self: string): Promise<Transport> {
  const publisher = new RedisClient(url)
  const subscriber = new RedisClient(url)
  const noted = (error: unknown): void => log.warn('Redis is out of reach', { error })
  publisher.onclose = noted
  subscriber.onconnect = () => {
    bus.catchUp().catch(noted)
  }
  const subscribe = async (): Promise<void> => {
    await subscriber.subscribe(CHANNEL, message => {
      const [sender, topic = ''] = message.split(' ')
      if (sender !== self) bus.heard(topic)
    })
  }
  await subscribe().catch(noted)
  return {
    send: async topic => {
      await publisher.publish(CHANNEL, `${self} ${topic}`)
    },
    close: () => {
      publisher.onclose = null
      publisher.close()
      subscriber.close()
    },
  }
}
