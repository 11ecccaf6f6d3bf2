import { afterAll, expect, test } from 'bun:test'
import { type Program, startProgram, until } from '../program.ts'
import { SECRET_KEY } from '../relay/rig.ts'
import { dropAll, engines } from '../services/databases.ts'
import { startOpenaiBatches } from '../upstreams/openai-batches/start-openai-batches.ts'
import { openTaskHouse } from './house.ts'

const EACH = 100
const LINES = 3
const chat = '/v1/chat/completions'
const times = { beatMs: 500, reapMs: 300, deadAfterMs: 4500, refillMs: 500 }

afterAll(dropAll)

/** Stopped first, so that nobody takes the place of a worker that is gone. */
function killAll(program: Program): void {
  program.kill('SIGSTOP')
  for (const pid of program.workerPids()) process.kill(pid, 'SIGKILL')
  program.kill('SIGKILL')
}

/** Whatever the upstream has is paid to the unit, whatever was being begun or ended when the process died. */
test.each(engines)('on $name: killed while batches begin, and again while they end', async engine => {
  const DATABASE_URL = await engine.freshUrl()
  const upstream = startOpenaiBatches()
  const house = await openTaskHouse(
    async rig => {
      await rig.addChannel({ type: 1, baseUrl: upstream.url, key: upstream.key, models: ['b-chat'] })
      await rig.setOption('ModelRatio', '{"b-chat":1}')
      await rig.setOption('CompletionRatio', '{"b-chat":3}')
      await rig.setOption('CacheRatio', '{"b-chat":0.5}')
    },
    { DATABASE_URL },
    times,
  )
  const { key, userId } = house.payer
  await house.store.change('tokens', transaction =>
    transaction.updateTable('tokens').set({ labels: 'job:night' }).execute(),
  )
  const headers = { authorization: `Bearer ${key}` }
  const form = new FormData()
  form.append('purpose', 'batch')
  const body = { model: 'b-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 }
  const text = Array.from({ length: LINES }, (_, at) =>
    JSON.stringify({ custom_id: `r${at}`, method: 'POST', url: chat, body }),
  ).join('\n')
  form.append('file', new Blob([text]), 'in.jsonl')
  const uploaded = await fetch(`${house.url}/v1/files`, { method: 'POST', headers, body: form })
  const { id: input_file_id } = (await uploaded.json()) as { id: string }
  // Not every engine has a NUL in its texts.
  const wanted = { input_file_id, endpoint: chat, completion_window: '24h' }
  const odd: [string, string, object?][] = [
    ...['/v1/files?after=%00', '/v1/files?purpose=%00', '/v1/batches?after=%00', '/v1/videos?after=%00'].map(
      (path): [string, string] => ['GET', path],
    ),
    ['POST', '/v1/batches', { ...wanted, input_file_id: 'a\0' }],
    ['POST', '/v1/batches', { ...wanted, completion_window: '24h\0' }],
    ['POST', '/suno/fetch', { ids: ['a\0'] }],
    ['POST', '/suno/submit/music', { prompt: 'a', task_id: 'b\0' }],
    ['POST', '/mj/task/list-by-condition', { ids: ['a\0'] }],
    ['POST', '/mj/submit/imagine', { prompt: 'a\0' }],
  ]
  for (const [method, path, json] of odd)
    expect([path, (await house.call(method, path, json)).status]).toEqual([path, 400])
  const heard: string[] = []
  const begin = async (): Promise<void> => {
    const { status, json } = await house.call('POST', '/v1/batches', wanted)
    if (status === 200) heard.push(json.id)
  }
  const nodes = async () =>
    (await house.store.db.selectFrom('nodes').select('id').execute()).map(({ id }) => id)
  // The test's own among them, which gets another name where the machine is slow.
  const known = await nodes()
  await begin()
  const calls = Promise.allSettled(Array.from({ length: 30 }, begin))
  await until(() => heard.length >= 8)
  killAll(house.program)
  await calls

  const rows = () => house.store.db.selectFrom('batches').selectAll().execute()
  await until(async () => {
    await house.poll(400)
    return (await rows()).every(({ state }) => state !== 'submitting')
  })
  // Whoever finishes what the dead have left open has been here, and left the batches alone.
  await until(async () => {
    const living = await nodes()
    return known.some(id => !living.includes(id))
  })
  const running = (await rows()).filter(({ state }) => state === 'running')
  expect(running).toHaveLength(upstream.batches.size)
  expect(heard.filter(id => !running.some(row => row.id === id))).toEqual([])
  for (const batch of upstream.batches.values()) upstream.end(batch, 'completed', LINES)
  const second = await startProgram({ SECRET_KEY, DATABASE_URL, DATA_DIR: house.program.dataDir })
  // Clients make the new process look, which dies while it does.
  const asking = Promise.allSettled(heard.map(id => fetch(`${second.url}/v1/batches/${id}`, { headers })))
  await until(async () =>
    (await rows()).some(({ state, upstream_id }) => state === 'ended' && upstream_id !== ''),
  )
  killAll(second)
  await asking
  await until(async () => {
    await house.poll(0, 3)
    return (await rows()).every(({ state }) => state !== 'running')
  })
  expect(await house.differences()).toEqual([])
  const paid = upstream.batches.size * LINES * EACH
  expect(await house.balance(userId)).toBe(50_000_000 - paid)
  const user = await house.store.db
    .selectFrom('users')
    .select(['used_quota', 'request_count'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  expect(user).toEqual({ used_quota: paid, request_count: upstream.batches.size })
  // Whoever ended it knew what it was for.
  const logged = await house.store.db.selectFrom('logs').select('labels').where('quota', '>', 0).execute()
  expect(logged).toEqual(Array(upstream.batches.size).fill({ labels: 'job:night' }))
  const outputs = await house.store.db
    .selectFrom('files')
    .select('id')
    .where('purpose', '=', 'batch_output')
    .execute()
  expect(outputs).toHaveLength(upstream.batches.size)
  expect(upstream.complaints).toEqual([])
  await house.close()
  await upstream.stop()
})
