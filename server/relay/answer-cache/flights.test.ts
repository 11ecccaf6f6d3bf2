import { expect, test } from 'bun:test'
import { Flights } from './flights.ts'

const staying = new AbortController().signal

test('one is under way at a time, and those who wait hear how it ended', async () => {
  const flights = new Flights()
  const flight = flights.begin('a')
  expect(flights.begin('a')).toBeUndefined()
  expect(flights.find('b')).toBeUndefined()
  const waiting = [1, 2, 3].map(() => flights.find('a')?.landing(staying))
  flight?.land('kept')
  flight?.land('lost')
  expect(await Promise.all(waiting)).toEqual(['kept', 'kept', 'kept'])
  expect(await flight?.landing(staying)).toBe('kept')
  expect(flights.find('a')).toBeUndefined()
  expect(flights.begin('a')).toBeDefined()
})

test('nobody waits for ever, and nobody else for one that was waited for in vain', async () => {
  const flights = new Flights(1)
  const flight = flights.begin('a')
  expect(await flight?.landing(staying)).toBe('late')
  expect(flights.find('a')).toBeUndefined()
  const next = flights.begin('a')
  flight?.land('kept')
  expect(flights.find('a')).toBe(next)
})

test('who leaves waits no longer', async () => {
  const leaving = new AbortController()
  const flights = new Flights()
  const waiting = flights.begin('a')?.landing(leaving.signal)
  leaving.abort()
  expect(await waiting).toBe('late')
  expect(flights.find('a')).toBeDefined()
  expect(await flights.find('a')?.landing(leaving.signal)).toBe('late')
})
