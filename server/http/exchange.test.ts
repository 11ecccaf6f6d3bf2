import { expect, test } from 'bun:test'
import { BodyRoom } from './body-room.ts'
import { ClientAddresses } from './client-address.ts'
import { Exchange } from './exchange.ts'

const MEGABYTE = 1024 * 1024

test('what is read of a body after its answer is not counted for good', () => {
  const room = new BodyRoom(64 * MEGABYTE)
  const peer = { requestIP: () => ({ address: '203.0.113.5' }), timeout: () => {}, upgrade: () => false }
  const request = new Request('http://localhost/v1/chat/completions', { method: 'POST' })
  const exchange = new Exchange(request, peer, new ClientAddresses([]), 'id', () => false, room)
  exchange.hold(2 * MEGABYTE)
  exchange.payer = 7
  exchange.hold(3 * MEGABYTE)
  expect(room.held).toBe(5 * MEGABYTE)
  exchange.letGo()
  expect(room.held).toBe(0)
  exchange.hold(MEGABYTE)
  expect(room.held).toBe(0)
})
