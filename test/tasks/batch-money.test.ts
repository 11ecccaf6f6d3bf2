import { afterAll, expect, test } from 'bun:test'
import { dropAll, engines } from '../services/databases.ts'
import { startOpenaiBatches } from '../upstreams/openai-batches/start-openai-batches.ts'
import { openTaskHouse } from './house.ts'
import { killTwice, times } from './kill-twice.ts'

const EACH = 100
const LINES = 3
const chat = '/v1/chat/completions'

afterAll(dropAll)

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
  const { key } = house.payer
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
    ['POST', '/mj/notify', { id: 'a\0' }],
  ]
  for (const [method, path, json] of odd)
    expect([path, (await house.call(method, path, json)).status]).toEqual([path, 400])
  await killTwice({
    ...{ house, DATABASE_URL, paid: LINES * EACH, isKnownBefore: true },
    theirs: () => [...upstream.batches.keys()],
    async begin() {
      const { status, json } = await house.call('POST', '/v1/batches', wanted)
      return status === 200 ? json.id : undefined
    },
    endAll() {
      for (const batch of upstream.batches.values()) upstream.end(batch, 'completed', LINES)
    },
    look: (url, id) => fetch(`${url}/v1/batches/${id}`, { headers }),
  })
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
