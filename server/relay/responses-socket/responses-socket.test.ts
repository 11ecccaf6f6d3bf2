import { afterEach, expect, test } from 'bun:test'
import { openHouse, Talk } from '../../../test/realtime/house.ts'
import { asObject } from '../../dialects/json.ts'
import { clientSocket, type SocketSession } from '../client-socket.ts'
import { Relay } from '../relay.ts'
import { openSocket } from '../upstream/open-socket.ts'
import { openResponsesSocket } from './open-responses-socket.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** A socket that is old after so long. */
async function connect(lifeMs: number): Promise<Talk> {
  const house = await openHouse(1000)
  const relay = new Relay(house.parts)
  const server = Bun.serve<SocketSession>({
    port: 0,
    hostname: '127.0.0.1',
    websocket: clientSocket,
    fetch: (request, peer) =>
      openResponsesSocket(
        relay,
        {
          request,
          path: '/v1/responses',
          requestId: Bun.randomUUIDv7('hex'),
          address: '127.0.0.1',
          language: 'en',
          hold: () => {},
          keepOpen: () => {},
          letRest: () => {},
          upgrade: (session, headers) => peer.upgrade(request, { data: session as SocketSession, headers }),
        },
        lifeMs,
      ),
  })
  ending.push(
    () => house.close(),
    () => server.stop(true),
  )
  const headers = { authorization: `Bearer sk-${house.key}` }
  return new Talk(openSocket(`ws://127.0.0.1:${server.port}/v1/responses`, { headers }))
}

test('a socket that is old is told so in the vendor’s words, and closed', async () => {
  const talk = await connect(10)
  const event = await talk.next()
  expect(event).toMatchObject({ type: 'error', status: 400 })
  expect(asObject(event?.error)).toMatchObject({
    type: 'invalid_request_error',
    code: 'websocket_connection_limit_reached',
  })
  expect((await talk.closed).code).toBe(1000)
})

test('a younger socket stays open', async () => {
  const talk = await connect(60 * 60 * 1000)
  await new Promise(resolve => talk.socket.addEventListener('open', resolve, { once: true }))
  talk.say({ type: 'nothing' })
  expect(await talk.next()).toMatchObject({ error: { param: 'type' } })
  expect(talk.socket.readyState).toBe(WebSocket.OPEN)
})
