import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { insertChannel } from '../../../test/relay/sample-channels.ts'
import { openSampleStore } from '../../../test/sample-store.ts'
import { dropAll, engines } from '../../../test/services/databases.ts'
import type { Store } from '../../store/index.ts'
import type { Channel } from './channel.ts'
import { ChannelSnapshot } from './channel-snapshot.ts'
import { disableChannel } from './disable-channel.ts'

const open: Store[] = []

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})
afterAll(dropAll)

async function openWithChannel(url: string): Promise<{ store: Store; channel: Channel }> {
  const store = await openSampleStore(url)
  open.push(store)
  const snapshot = await ChannelSnapshot.load(store)
  if (!snapshot.byId(1)) {
    await insertChannel(store, {
      id: 1,
      key: 'sk-the-first-key\nAKIA0123456789ABCDEF|the-second-part-of-it',
      other_info: '{"kept":"yes","status_reason":"old"}',
    })
    const ability = { group: 'default', enabled: 1, priority: 0, weight: 0, tag: null }
    await store.db
      .insertInto('abilities')
      .values([
        { ...ability, model: 'a', channel_id: 1 },
        { ...ability, model: 'a', channel_id: 2 },
      ])
      .execute()
  }
  const channel = snapshot.byId(1)
  if (!channel) throw new Error('it is there')
  return { store, channel }
}

async function readRow({ db }: Store): Promise<{ status: number; info: unknown; abilities: number[] }> {
  const row = await db.selectFrom('channels').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  const abilities = await db.selectFrom('abilities').select('enabled').orderBy('channel_id').execute()
  return {
    status: row.status,
    info: JSON.parse(row.other_info),
    abilities: abilities.map(({ enabled }) => enabled),
  }
}

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (_name, engine) => {
  test('of two processes that disable a channel at once, one does, and tells', async () => {
    const url = await engine.freshUrl()
    const here = await openWithChannel(url)
    const there = await openWithChannel(url)
    const told: string[] = []
    const disable = ({ store, channel }: typeof here, reason: string) =>
      disableChannel(store, channel, {
        reason,
        now: 1_800_000_000,
        onDisabled: d => void told.push(d.reason),
      })
    const done = await Promise.all([disable(here, 'a'), disable(here, 'b'), disable(there, 'c')])
    expect(done.filter(Boolean).length).toBe(1)
    expect(done[1]).toBe(false)
    const winner = done[0] ? 'a' : 'c'
    expect(told).toEqual([winner])
    expect(await readRow(here.store)).toEqual({
      status: 3,
      info: { kept: 'yes', status_reason: winner, status_time: 1_800_000_000 },
      abilities: [0, 1],
    })
    expect(await disable(here, 'd')).toBe(false)
    expect(told.length).toBe(1)
  })
})

describe('disabling a channel', () => {
  const start = async () => openWithChannel((await engines[0]?.freshUrl()) ?? '')

  test('leaves one alone that its operator has disabled, and one that is gone', async () => {
    const { store, channel } = await start()
    await store.db.updateTable('channels').set({ status: 2, other_info: '{}' }).execute()
    expect(await disableChannel(store, channel, { reason: 'x', now: 1 })).toBe(false)
    expect(await readRow(store)).toEqual({ status: 2, info: {}, abilities: [1, 1] })
    await store.db.deleteFrom('channels').execute()
    expect(await disableChannel(store, channel, { reason: 'x', now: 1 })).toBe(false)
  })

  test('never writes a key, whole or in part, and cuts what is too long', async () => {
    const { store, channel } = await start()
    await store.db.updateTable('channels').set({ other_info: 'not JSON' }).execute()
    const reason = `bad sk-the-first-key, the-second-part-of-it ${'x'.repeat(430)} AKIA0123456789ABCDEF ${'y'.repeat(900)}`
    expect(await disableChannel(store, channel, { reason, now: 1 })).toBe(true)
    const { info } = await readRow(store)
    const written = (info as { status_reason: string }).status_reason
    expect(written).toStartWith('bad ***, *** xxx')
    expect(written).toContain('x *** y')
    expect(written).not.toContain('AKIA')
    expect(written.length).toBe(501)
  })

  test('is done even when nobody can be told', async () => {
    const { store, channel } = await start()
    const onDisabled = async () => Promise.reject(new Error('no mail today'))
    expect(await disableChannel(store, channel, { reason: 'x', now: 1, onDisabled })).toBe(true)
    expect((await readRow(store)).status).toBe(3)
  })

  test('that failed may be tried again', async () => {
    const { store, channel } = await start()
    const away = { change: () => Promise.reject(new Error('the database is away')) }
    const failure = await disableChannel(away, channel, { reason: 'x', now: 1 }).catch(error => String(error))
    expect(failure).toContain('away')
    expect(await disableChannel(store, channel, { reason: 'x', now: 1 })).toBe(true)
  })
})
