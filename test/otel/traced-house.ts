import { openSocket } from '../../server/relay/upstream/open-socket.ts'
import { until } from '../program.ts'
import { MODEL, Talk } from '../realtime/house.ts'
import { done, say, startLoopback } from '../realtime/upstream.ts'
import { openRig, type Rig, type SeededToken } from '../relay/rig.ts'
import { anthropic, ask, chat, gemini, requestIdOf } from '../relay/ways.ts'
import { type FakeUpstream, startOpenai } from '../upstreams/index.ts'
import { startSuno } from '../upstreams/suno/start-suno.ts'
import { Collector } from './collector.ts'

export const COLLECTOR_KEY = 'Basic cGstdHJhY2Utd29yZDpzay10cmFjZS13b3Jk'
const TALKING_KEY = 'sk-talking-channel-0123456789'
export const STRANGE_KEY = 'sk-strange-key-of-nobody-here'
/** Long enough not to come up by chance in ids. */
export const QUESTION = 'marmalade-question-weatherglass'
export const ANSWER = 'quicksilver-answer-lanternfish'
export const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
export const PARENT = '00f067aa0ba902b7'
export const TALKING = MODEL
/** Of the calls whose numbers nobody is told. */
export const traces = { talked: 'c'.repeat(32), leftEarly: 'b'.repeat(32), turned: 'd'.repeat(32) }
export const STATE = 'vendor=abc,other=1'

export const parentOf = (traceId: string, flags = '01') => ({
  traceparent: `00-${traceId}-${PARENT}-${flags}`,
})

/** Version of the last number, nothing for an id, capitals, too short, and more than this version has. */
export const invalid = [
  `ff-${TRACE}-${PARENT}-01`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE.slice(1)}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01-more`,
]

export type TracedHouse = Awaited<ReturnType<typeof openTracedHouse>>

/** The program with a collector, two vendors of chat, one of music and one who talks. */
export async function openTracedHouse() {
  const collector = new Collector({ authorization: COLLECTOR_KEY, 'x-scope': 'one, two' })
  const first = await startOpenai({ key: 'sk-first-channel-0123456789' })
  const second = await startOpenai({ key: 'sk-second-channel-0123456789' })
  for (const fake of [first, second]) fake.always({ reply: { text: ANSWER } })
  const suno = startSuno()
  const talker = startLoopback((socket, event) => {
    if (event.type !== 'response.create') return
    say(socket, { type: 'response.output_text.delta', delta: ANSWER })
    say(socket, done)
  })
  const nobody: SeededToken = { id: 0, key: '' }
  const people = { userId: 0, token: nobody, narrow: nobody, hurried: nobody }
  const channels = { first: 0, second: 0, late: 0 }
  const rig = await openRig(
    async books => {
      const userId = await books.addUser()
      people.userId = userId
      people.token = await books.addToken({ userId })
      people.narrow = await books.addToken({ userId, models: ['another'] })
      people.hurried = await books.addToken({ userId, limits: { rpm: 1 } })
      await books.setOption('RetryTimes', '1')
      const ratios = { 'm-one': 1, 'm-two': 1, 'm-ours': 1, 'm-vector': 1 }
      await books.setOption('ModelRatio', JSON.stringify(ratios))
      await books.setOption('ModelPrice', JSON.stringify({ suno_music: 0.1 }))
      const at = ({ url: baseUrl, key }: Pick<FakeUpstream, 'url' | 'key'>, ...models: string[]) => ({
        ...{ type: 1, baseUrl, key, models },
      })
      channels.first = await books.addChannel(at(first, 'm-one', 'm-vector'))
      channels.second = await books.addChannel({ ...at(first, 'm-two'), priority: 9 })
      channels.late = await books.addChannel({ ...at(second, 'm-two'), mapping: { 'm-two': 'm-inner' } })
      const setting = { header_override: { traceparent: '{client_header:traceparent}' } }
      await books.addChannel({ ...at(second, 'm-ours'), setting })
      await books.addChannel(at({ url: talker.url, key: TALKING_KEY }, TALKING))
      await books.addChannel({ ...at(suno, 'suno_music'), type: 36 })
    },
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=nobody,x-scope=${encodeURIComponent('one, two')}`,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: `Authorization=${encodeURIComponent(COLLECTOR_KEY)}`,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bench,service.name=overruled',
      OTEL_SERVICE_NAME: 'gate-under-test',
    },
  )
  const upstreams = { first, second, suno, talker: { ...talker, key: TALKING_KEY } }
  return {
    ...{ rig, collector, upstreams, people, channels },
    async close() {
      await rig.close()
      await collector.stop()
      talker.stop()
      for (const fake of [first, second, suno]) await fake.stop()
    },
  }
}

/** All of them first, so that what comes once a second is waited for once. By their names, the calls' numbers. */
export async function makeCalls({ rig, people, upstreams }: TracedHouse): Promise<Map<string, string>> {
  const calls = new Map<string, string>()
  const { first, second } = upstreams
  const { key } = people.token
  const asked = { key, model: 'm-one', text: QUESTION }
  const whole = async (name: string, response: Promise<Response>): Promise<void> => {
    const answer = await response
    calls.set(name, requestIdOf(answer))
    await answer.text().catch(() => '')
  }
  const chatWith = (name: string, more: Partial<Parameters<typeof ask>[2]> = {}): Promise<void> =>
    whole(name, ask(rig.url, chat, { ...asked, ...more }))

  const labels = { 'x-tollgate-labels': 'search,env:prod' }
  await chatWith('plain', { headers: { ...parentOf(TRACE), tracestate: STATE, ...labels } })
  await chatWith('streamed', { stream: true })
  await whole('converted', ask(rig.url, anthropic, { ...asked, stream: true }))
  await whole('google', ask(rig.url, gemini, { ...asked, headers: { tracestate: STATE } }))
  first.next(first.failWith('server-error'))
  await chatWith('retried', { model: 'm-two' })
  first.next(first.failWith('too-long'))
  await chatWith('wrong')
  for (const fake of [first, second]) fake.next(fake.failWith('overloaded'))
  await chatWith('failed', { model: 'm-two' })
  first.next({ cutAfterFrames: 3, onceRead: true })
  await chatWith('cut', { stream: true })
  await chatWith('stranger', { key: STRANGE_KEY })
  await chatWith('denied', { key: people.narrow.key, stream: true })
  await chatWith('allowed', { key: people.hurried.key })
  await chatWith('hurried', { key: people.hurried.key })
  for (const [at, traceparent] of invalid.entries())
    await chatWith(`invalid ${at}`, { headers: { traceparent } })
  await chatWith('unsampled', { headers: parentOf('a'.repeat(32), '00') })
  await chatWith('ours', { model: 'm-ours', headers: parentOf(TRACE) })

  const authorization = `Bearer ${key}`
  const post = (path: string, body: object, headers: Record<string, string> = { authorization }) => {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    return fetch(rig.url + path, { ...init, body: JSON.stringify(body) })
  }
  await whole('vector', post('/v1/embeddings', { model: 'm-vector', input: QUESTION }))
  await whole('page', post('/pg/chat/completions', chat.body('m-one', QUESTION, false), {}))
  await whole('song', post('/suno/submit/music', { prompt: QUESTION }))
  await whole('songs', post('/suno/fetch', { ids: [] }))
  await whole('models', fetch(`${rig.url}/v1/models`, { headers: { authorization } }))
  await talk(rig, authorization)
  await takeTurns(rig, authorization)
  calls.set('left', await leave(rig, first, asked))
  return calls
}

async function talk(rig: Rig, authorization: string): Promise<void> {
  const url = `${rig.url.replace('http', 'ws')}/v1/realtime?model=${TALKING}`
  const headers = { authorization, ...parentOf(traces.talked) }
  const talking = new Talk(openSocket(url, { headers }))
  await talking.until('session.created')
  talking.say({ type: 'response.create' })
  await talking.until('response.done')
  talking.socket.close()
}

/** Two over one socket. */
async function takeTurns(rig: Rig, authorization: string): Promise<void> {
  const url = `${rig.url.replace('http', 'ws')}/v1/responses`
  const headers = { authorization, ...parentOf(traces.turned) }
  const talking = new Talk(openSocket(url, { headers }))
  await new Promise(resolve => talking.socket.addEventListener('open', resolve, { once: true }))
  for (const _turn of [1, 2]) {
    talking.say({ type: 'response.create', model: 'm-one', input: QUESTION })
    await talking.until('response.completed')
  }
  talking.socket.close()
}

/** In the middle of a stream, and while nothing has been said. */
async function leave(rig: Rig, vendor: FakeUpstream, asked: Parameters<typeof ask>[2]): Promise<string> {
  const leaving = new AbortController()
  vendor.next({ stallAfterFrames: 4 })
  const response = await ask(rig.url, chat, { ...asked, stream: true, signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  const early = new AbortController()
  vendor.next({ silent: true })
  const seen = vendor.requests.length
  const headers = parentOf(traces.leftEarly)
  const waiting = ask(rig.url, chat, { ...asked, signal: early.signal, headers })
  await until(() => vendor.requests.length > seen)
  early.abort()
  await waiting.catch(() => {})
  return requestIdOf(response)
}
