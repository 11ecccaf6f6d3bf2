// What long jobs write goes through the rules for answers before anybody sees it.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type FakeMidjourney, startMidjourney } from '../upstreams/midjourney/start-midjourney.ts'
import { type FakeSuno, startSuno } from '../upstreams/suno/start-suno.ts'
import { openTaskHouse, type TaskHouse } from './house.ts'

const rule = { enabled: true, where: ['output'], groups: [], models: [] }
const RULES = [
  { ...rule, name: 'people', looks: { by: 'kinds', kinds: ['email'] }, action: 'mask' },
  { ...rule, name: 'secret', looks: { by: 'words', words: ['project x'] }, action: 'block' },
  { ...rule, name: 'quiet', groups: ['vip'], looks: { by: 'words', words: ['loud'] }, action: 'block' },
  { ...rule, name: 'asked', where: ['input'], looks: { by: 'words', words: ['sunny'] }, action: 'block' },
]
const MAIL = 'write to ada@example.com'
const MASKED = 'write to [email]'

let house: TaskHouse
let drawer: FakeMidjourney
let singer: FakeSuno
let vip = ''

beforeAll(async () => {
  drawer = startMidjourney()
  singer = startSuno()
  house = await openTaskHouse(async rig => {
    const groups = ['default', 'vip']
    const drawings = ['mj_imagine', 'mj_describe', 'mj_shorten']
    await rig.addChannel({ type: 5, baseUrl: drawer.url, key: drawer.key, models: drawings, groups })
    const songs = ['suno_music', 'suno_lyrics']
    await rig.addChannel({ type: 36, baseUrl: singer.url, key: singer.key, models: songs, groups })
    await rig.setOption('UserUsableGroups', '{"default":"a","vip":"b"}')
    await rig.setOption('Guards', JSON.stringify(RULES))
  })
  const { userId } = house.payer
  vip = (await house.addToken({ userId, group: 'vip' })).key
})
beforeEach(async () => {
  await house.spent()
})
afterAll(async () => {
  for (const upstream of [drawer, singer]) expect(upstream.complaints).toEqual([])
  expect(await house.differences()).toEqual([])
  await house.close()
  for (const upstream of [drawer, singer]) await upstream.stop()
})

/** A song that is submitted, and ends with this; and what its owner then reads of it. */
async function sing(kind: 'lyrics' | 'music', data: object, key?: string) {
  const body = { prompt: 'a song', ...(kind === 'music' && { mv: 'v4' }) }
  const { json } = await house.call('POST', `/suno/submit/${kind}`, body, key)
  const [id = ''] = [...singer.songs.keys()].slice(-1)
  singer.change(id, { status: 'SUCCESS', data: data as never })
  await house.poll()
  return (await house.call('GET', `/suno/fetch/${json.data}`, undefined, key)).json.data
}

async function draw(path: string, body: object, made: object) {
  const { json } = await house.call('POST', `/mj/submit/${path}`, body)
  const [id = ''] = [...drawer.drawings.keys()].slice(-1)
  drawer.change(id, { status: 'SUCCESS', progress: '100%', ...made })
  await house.poll()
  return (await house.call('GET', `/mj/task/${json.result}/fetch`)).json
}

test('lyrics and songs are masked, and their records have no other words', async () => {
  const lyrics = await sing('lyrics', { id: 'l', status: 'complete', title: MAIL, text: `La la, ${MAIL}` })
  expect([lyrics.status, lyrics.data]).toEqual([
    'SUCCESS',
    { id: 'l', status: 'complete', title: MASKED, text: `La la, ${MASKED}` },
  ])
  const clip = { audio_url: 'https://cdn.example/ada@example.com.mp3', gpt_description_prompt: MAIL }
  const song = await sing('music', [{ ...clip, title: 'x', metadata: { tags: MAIL, prompt: MAIL } }])
  expect(song.data).toEqual([{ ...clip, title: 'x', metadata: { tags: MASKED, prompt: MASKED } }])
  const records = await house.store.db.selectFrom('tasks').select('data').execute()
  expect(records.map(({ data }) => data).filter(data => data.includes('La la, write to ada'))).toEqual([])
  expect(await house.spent()).toBeGreaterThan(0)
})

test('what is blocked has failed, and costs nothing, once', async () => {
  const text = 'about Project X'
  const refused = await sing('lyrics', { title: 'x', text })
  expect([refused.status, refused.data]).toEqual(['FAILURE', null])
  expect(refused.fail_reason).toContain('secret')
  await house.poll(400, 3)
  expect(await house.spent()).toBe(0)
  const drawing = await draw('describe', { base64: 'data:image/png;base64,AAAA' }, { promptEn: text })
  expect([drawing.status, drawing.promptEn]).toEqual(['FAILURE', ''])
  expect(drawing.failReason).toContain('secret')
  expect(await house.spent()).toBe(0)
})

test('a picture that is described, and a prompt that is shortened, are masked', async () => {
  const picture = { base64: 'data:image/png;base64,AAAA' }
  const made = { promptEn: MAIL, description: MAIL, properties: { finalPrompt: MAIL } }
  const described = await draw('describe', picture, made)
  expect(described).toMatchObject({
    ...{ status: 'SUCCESS', promptEn: MASKED, description: MASKED, prompt: MASKED },
    properties: { finalPrompt: MASKED },
  })
  expect((await draw('shorten', { prompt: 'a long one' }, made)).promptEn).toBe(MASKED)
  // Of others it is what was asked for, which the rules for that have read.
  const drawn = await draw('imagine', { prompt: 'a cat' }, { promptEn: 'of Project X' })
  expect([drawn.status, drawn.promptEn]).toEqual(['SUCCESS', 'of Project X'])
})

test('a rule for a group reads what was ordered in it, and one for questions reads none', async () => {
  const song = { title: 'sunny', text: 'a loud one' }
  expect((await sing('lyrics', song)).data).toEqual(song)
  expect((await sing('lyrics', song, vip)).status).toBe('FAILURE')
})
