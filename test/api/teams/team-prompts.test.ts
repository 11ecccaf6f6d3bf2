// A team's prompts: who sees them, who changes them, whose tokens name them; and how many there may be.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, chat } from '../../relay/ways.ts'
import { addPrompt } from '../../services/add-prompt.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { actingFor, type OlgasTeam, openOlgasTeam, type Person, succeeded } from './team-house.ts'

let town: OlgasTeam
beforeAll(async () => {
  const [sqlite] = engines
  if (!sqlite) throw new Error('no engine')
  town = await openOlgasTeam(await sqlite.freshUrl())
})
afterAll(async () => {
  expect(await town.close()).toEqual([])
  await dropAll()
})

const say = (content: string) => [{ role: 'user', content }]
const rename = (who: Person, path: string, name: string, headers: Record<string, string>) =>
  who.send('PUT', path, { body: { name }, headers })
const english = (team: number) => ({ ...actingFor(team), 'accept-language': 'en' })

test('all members see and call them; owners and who made one change it', async () => {
  const { olga, max, eve, team, house } = town
  const made = succeeded(
    await max.post('/api/prompt', { name: 'ours', messages: say('Of Max') }, actingFor(team)),
  )
  expect(made).toMatchObject({ name: 'ours', creator: max.name, editable: true })
  const path = `/api/prompt/${made.id}`
  const seen = async (who: Person) =>
    succeeded(await who.get('/api/prompt', actingFor(team))).items[0]?.editable
  expect([await seen(olga), await seen(max), await seen(eve)]).toEqual([true, true, false])
  // It is the team's, and not the person's.
  expect(succeeded(await max.get('/api/prompt')).total).toBe(0)

  const refused = 'Only owners of the team and who made this prompt may change it'
  for (const answer of [
    await rename(eve, path, 'mine', english(team)),
    await eve.post(`${path}/version`, { messages: say('Of Eve'), use: true }, english(team)),
    await eve.send('DELETE', path, { headers: english(team) }),
  ])
    expect(answer.json).toMatchObject({ success: false, message: refused })
  expect((await max.put(path, { name: 'mine' })).json.success).toBe(false)

  const second = await olga.post(`${path}/version`, { messages: say('Of Olga'), use: true }, actingFor(team))
  expect(succeeded(second)).toMatchObject({ version: 2, creator: olga.name })
  for (const token of [town.ofMax, town.ofOlga]) {
    const answer = await ask(house.rig.url, chat, { key: `sk-${token.key}`, more: { prompt_id: 'ours' } })
    expect(answer.status).toBe(200)
    await answer.text()
    expect(town.vendor.requests.at(-1)?.text).toContain('Of Olga')
  }
  // A token of Max's own does not reach it.
  const own = await house.rig.addToken({ userId: max.id })
  const answer = await ask(house.rig.url, chat, { key: own.key, more: { prompt_id: 'ours' } })
  expect(answer.status).toBe(404)
})

test('who is removed changes nothing any more; what they made stays', async () => {
  const { olga, eve, team } = town
  const made = succeeded(
    await eve.post('/api/prompt', { name: 'of-eve', messages: say('Eve') }, actingFor(team)),
  )
  succeeded(await olga.send('DELETE', `/api/team/${team}/members/${eve.id}`))
  expect((await rename(eve, `/api/prompt/${made.id}`, 'x', actingFor(team))).status).toBe(403)
  succeeded(await rename(olga, `/api/prompt/${made.id}`, 'of-olga', actingFor(team)))
})

test('there is an end to how many, and to how much', async () => {
  const { olga, house } = town
  const { db } = house.rig.store
  const id = await addPrompt(house.rig.store, olga.id, { name: 'first' })
  const add = async (path: string, body: object) => {
    const { json } = await olga.post(path, body, { 'accept-language': 'en' })
    return json.success || json.message
  }
  // One of this size fits; with the next there would be more than there is room for.
  const large = { messages: say('x'.repeat(90_000)) }
  expect(await add(`/api/prompt/${id}/version`, large)).toBe(true)
  await db.updateTable('prompt_versions').set({ size: 3_990_000 }).where('version', '=', 2).execute()
  expect(await add(`/api/prompt/${id}/version`, large)).toContain('4000000 characters at most')
  expect(await add('/api/prompt', { name: 'large', ...large })).toContain('4000000 characters at most')
  await db.updateTable('prompt_versions').set({ size: 10 }).where('version', '=', 2).execute()
  const version = { prompt_id: id, model: '', content: '{"messages":[],"parameters":{}}', size: 1, note: '' }
  const numbers = Array.from({ length: 198 }, (_, at) => at + 3)
  for (const one of numbers)
    await db
      .insertInto('prompt_versions')
      .values({ ...version, version: one, created_by: 0, created_at: 1 })
      .execute()
  expect(await add(`/api/prompt/${id}/version`, { messages: say('x') })).toContain('200 versions at most')
  for (const one of numbers.slice(0, 199)) await addPrompt(house.rig.store, olga.id, { name: `p${one}` })
  await addPrompt(house.rig.store, olga.id, { name: 'last' })
  expect(await add('/api/prompt', { name: 'more', messages: say('x') })).toContain('200 prompts at most')
  const { total, items } = succeeded(await olga.get('/api/prompt?p=3&page_size=90'))
  expect([total, items.length]).toEqual([200, 20])
})
