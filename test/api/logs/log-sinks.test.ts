import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import type { AnyJson } from '../../any-json.ts'
import { type Client, rootClient } from '../../client.ts'
import { NoticeReceiver } from '../../notice-receiver.ts'
import { ROOT_PASSWORD, startProgram, until } from '../../program.ts'
import { openRig, type Rig, SECRET_KEY } from '../../relay/rig.ts'
import { refusal, S3Bucket, s3Options } from '../../s3-bucket.ts'
import { serveLoopback } from '../../serve-loopback.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { freePort } from '../../services/free-port.ts'
import { addLogs } from '../../services/log-rows.ts'

const upstream = serveLoopback(() =>
  Response.json({
    ...{ id: 'a', object: 'chat.completion', created: 1, model: 'gpt-4o-mini' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
)
const bucket = new S3Bucket()
const receiver = new NoticeReceiver()
afterEach(() => {
  receiver.reset()
  bucket.objects.clear()
  bucket.answer = () => undefined
})
afterAll(async () => {
  await upstream.stop(true)
  await bucket.close()
  await receiver.close()
  await dropAll()
})

const options = () => ({
  ...s3Options,
  LogS3Endpoint: bucket.url,
  LogWebhookUrl: `${receiver.url}/t0p-secret`,
})

async function save(root: Client, values: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    const { json, text } = await root.saveOption(key, value)
    if (!json?.success) throw new Error(`${key}: ${text}`)
  }
}

async function open(engine: string, environment: Record<string, string> = {}) {
  const url = (await engines.find(({ name }) => name === engine)?.freshUrl()) ?? ''
  let key = ''
  const rig = await openRig(
    async seed => {
      for (const limit of ['GlobalApiRateLimit', 'CriticalRateLimit']) await seed.setOption(limit, '0')
      key = (await seed.addToken({ userId: await seed.addUser() })).key
      await seed.addChannel({
        ...{ type: 1, baseUrl: `http://127.0.0.1:${upstream.port}`, key: 'up-key', name: 'first' },
        models: ['gpt-4o-mini'],
      })
    },
    { DATABASE_URL: url, ...environment },
  )
  return { rig, url, key, root: await rootClient(rig.url) }
}

async function ask({ url }: Pick<Rig, 'url'>, key: string): Promise<void> {
  const { status } = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
  })
  if (status !== 200) throw new Error(`the call was answered with ${status}`)
}

/** Of batches that may have come more than once, each once. */
function batchesOf(taken: NoticeReceiver): AnyJson[] {
  const byId = new Map(taken.received.map(({ json }) => [json.id, json]))
  return [...byId.values()].sort((one, other) => one.from - other.from)
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

async function callsOf({ store }: Rig): Promise<number[]> {
  return idsOf(
    await store.db.selectFrom('logs').select('id').where('type', 'in', [2, 5]).orderBy('id').execute(),
  )
}

describe.each(['sqlite', 'postgres'])('a program of two workers on %s', engine => {
  test('delivers every call to both places, and of the workers one does', async () => {
    const { rig, root, key } = await open(engine, { WORKERS: '2' })
    try {
      await save(root, { ...options(), LogS3Enabled: 'true', LogWebhookEnabled: 'true' })
      for (let round = 0; round < 4; round++) await Promise.all([1, 2, 3, 4, 5].map(() => ask(rig, key)))
      const calls = await callsOf(rig)
      expect(calls).toHaveLength(20)
      const rows = await until(() => (bucket.rows().length >= calls.length ? bucket.rows() : undefined))
      expect(idsOf(rows)).toEqual(calls)
      expect(rows[0]).toMatchObject({ channel_name: 'first', model_name: 'gpt-4o-mini', type: 2 })
      const hooked = () => receiver.received.flatMap(({ json }) => json.rows as { id: number }[])
      await until(() => hooked().length >= calls.length)
      // Nothing came twice, and no number was passed over.
      expect(idsOf(hooked())).toEqual(calls)
      const [first, ...others] = receiver.received.map(({ json }) => json)
      let last = first
      for (const next of others) {
        expect(next.from).toBe(last.to + 1)
        last = next
      }
      expect([...bucket.objects.values()].every(({ times }) => times === 1)).toBe(true)
      // What has arrived is noted a moment after.
      const states = await until(async () => {
        const { data } = (await root.get('/api/log/sinks')).json
        return data.every(({ behind }: { behind: number }) => behind === 0) ? data : undefined
      })
      const state = { enabled: true, behind: 0, problem: '', failing_since: 0 }
      expect(states).toMatchObject([
        { ...state, sink: 's3' },
        { ...state, sink: 'webhook', delivered_to: last.to },
      ])
    } finally {
      await rig.close()
    }
  })

  test('killed between what has arrived and the note of that, sends the same again and loses nothing', async () => {
    const PORT = String(await freePort())
    const { rig, url, root, key } = await open(engine, { PORT })
    let running = rig.program
    try {
      for (let call = 0; call < 3; call++) await ask(rig, key)
      const saved = Promise.withResolvers<void>()
      receiver.answer = async () => {
        receiver.answer = () => new Response('ok')
        // Not before it has answered to what set it going.
        await saved.promise
        for (const pid of running.workerPids()) process.kill(pid, 'SIGKILL')
        running.kill('SIGKILL')
        return new Response('ok')
      }
      await save(root, { ...options(), LogWebhookEnabled: 'true' })
      saved.resolve()
      await running.exited
      expect(receiver.received).toHaveLength(1)
      running = await startProgram({
        DATABASE_URL: url,
        DATA_DIR: running.dataDir,
        SECRET_KEY,
        ROOT_PASSWORD,
        PORT,
      })
      await ask(rig, key)
      const calls = await callsOf(rig)
      const delivered = () => batchesOf(receiver).flatMap(({ rows }) => rows as { id: number }[])
      await until(() => delivered().length >= calls.length)
      expect(idsOf(delivered())).toEqual(calls)
      const [first, again] = receiver.received
      expect(again?.text).toBe(first?.text ?? '')
    } finally {
      await running.stop()
      await rig.store.close()
    }
  })
})

describe('the operator', () => {
  test('tries it out, is told what is wrong without a secret, and sees how far it has come', async () => {
    const { rig, root } = await open('sqlite')
    const words = { 'accept-language': 'en' }
    const tryOut = async (sink: string) => (await root.post('/api/log/sinks/test', { sink }, words)).json
    const states = async () =>
      (await root.send('GET', '/api/log/sinks', { headers: words })).json?.data as AnyJson[]
    try {
      expect((await tryOut('s3'))?.message).toBe(
        'Fill in the endpoint, bucket, access key and secret key of S3 first',
      )
      expect((await tryOut('webhook'))?.message).toBe('Fill in the address of the webhook for the log first')
      expect((await tryOut('gcs'))?.success).toBe(false)
      for (const key of ['LogS3Enabled', 'LogWebhookEnabled'])
        expect((await root.saveOption(key, 'true')).json?.success).toBe(false)
      for (const [key, bad] of [
        ['LogS3Prefix', 'a//b'],
        ['LogS3Prefix', '../b'],
        ['LogS3Prefix', '/a'],
        ['LogS3Bucket', 'Our_Logs'],
        ['LogS3Region', 'eu west'],
        ['LogS3Endpoint', 'ftp://s3.test'],
        ['LogWebhookUrl', 'logs'],
        ['LogS3Seconds', '0'],
        ['LogSinkRows', 'some'],
      ] as const)
        expect([key, (await root.saveOption(key, bad)).json?.success]).toEqual([key, false])
      await save(root, { ...options(), LogWebhookSecret: 'shared' })
      expect(await tryOut('s3')).toMatchObject({ success: true })
      expect([...bucket.objects.keys()]).toEqual(['tollgate/test.json'])
      expect(await tryOut('webhook')).toMatchObject({ success: true })
      expect((await receiver.next()).json).toMatchObject({ type: 'test', rows: [] })
      const listed = await root.get('/api/option')
      for (const secret of [s3Options.LogS3SecretKey, 't0p-secret', 'shared'])
        expect(listed.text).not.toContain(secret)

      await save(root, { LogS3SecretKey: 'another', LogS3Enabled: 'true' })
      expect((await tryOut('s3'))?.message).toBe('The log was not taken: HTTP 403 SignatureDoesNotMatch')
      await addLogs(rig.store.db, 'a')
      const failing = await until(async () => (await states()).find(({ problem }) => problem !== ''))
      expect(failing).toMatchObject({
        ...{ sink: 's3', enabled: true, delivered_to: 0, behind: 1 },
        problem: 'The log was not taken: HTTP 403 SignatureDoesNotMatch',
      })
      expect(failing.failing_since).toBeGreaterThan(0)
      const figures = await (await fetch(`${rig.url}/metrics`)).text()
      expect(figures).toMatch(/tollgate_log_sink_behind_rows\{[^}]*sink="s3"\} 1/)
      expect(figures).toMatch(/tollgate_log_sink_failures_total\{[^}]*sink="s3"\} [1-9]/)

      // What S3 was given it says again; nobody hears of that.
      bucket.answer = () => refusal(400, 'AuthorizationHeaderMalformed')
      expect(JSON.stringify(await tryOut('s3'))).not.toContain(s3Options.LogS3AccessKeyId)
      bucket.answer = () => undefined
      await save(root, { LogS3SecretKey: s3Options.LogS3SecretKey })
      expect(await tryOut('s3')).toMatchObject({ success: true })
      await until(async () => (await states())[0]?.behind === 0)
      expect((await states())[0]).toMatchObject({ problem: '', failing_since: 0, retry_at: 0 })
      expect(bucket.rows()).toHaveLength(1)

      await addLogs(rig.store.db, 'b')
      await save(root, { AllowPrivateUpstreams: 'false' })
      expect((await tryOut('webhook'))?.message).toBe('That address is not allowed')
    } finally {
      await rig.close()
    }
  })
})
