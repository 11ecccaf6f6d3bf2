// What an upstream stores for a team is whose token it was made with, and the owners'.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TokenView } from '../../../contract/tokens.ts'
import { ask, responses } from '../../relay/ways.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { makeToken, type OlgasTeam, openOlgasTeam, succeeded } from './team-house.ts'

let opened: OlgasTeam
let ofEve: TokenView
let second: TokenView

beforeAll(async () => {
  opened = await openOlgasTeam((await engines[0]?.freshUrl()) ?? '')
  ofEve = await makeToken(opened.eve, opened.team, { name: 'of eve' })
  second = await makeToken(opened.max, opened.team, { name: 'of max too' })
})
afterAll(async () => {
  expect(await opened.close()).toEqual([])
  await dropAll()
})

const url = () => opened.house.rig.url
const bearer = ({ key }: TokenView) => ({ authorization: `Bearer sk-${key}` })
const goOn = async ({ key }: TokenView, more: object) =>
  (await ask(url(), responses, { key: `sk-${key}`, model: 'gpt-4o', more: more as never })).status
const look = async (token: TokenView, id: string, method = 'GET') =>
  (await fetch(`${url()}/v1/responses/${id}`, { method, headers: bearer(token) })).status

async function makeWith({ key }: TokenView): Promise<{ id: string; item: string }> {
  const text = await (await ask(url(), responses, { key: `sk-${key}`, model: 'gpt-4o' })).text()
  return { id: /resp_\w+/.exec(text)?.[0] ?? '', item: /msg_\w+/.exec(text)?.[0] ?? '' }
}

test('a member neither sees nor deletes nor goes on from what another member’s token got', async () => {
  const { ofMax, ofOlga } = opened
  const { id, item } = await makeWith(ofMax)
  const named = {
    input: [
      { type: 'item_reference', id: item },
      { role: 'user', content: 'say it again' },
    ],
  }
  const asked = opened.vendor.requests.length
  expect([await look(ofEve, id), await look(ofEve, id, 'DELETE')]).toEqual([404, 404])
  expect([await goOn(ofEve, { previous_response_id: id }), await goOn(ofEve, named)]).toEqual([404, 404])
  expect(opened.vendor.requests.length).toBe(asked)
  for (const token of [ofMax, second, ofOlga]) {
    expect([await look(token, id), await goOn(token, { previous_response_id: id })]).toEqual([200, 200])
    expect(await goOn(token, named)).toBe(200)
  }
  const byOlga = await makeWith(ofOlga)
  expect(await look(ofMax, byOlga.id)).toBe(404)
  expect(await look(ofOlga, id, 'DELETE')).toBe(200)
})

test('tokens that pass to somebody else go on with what they have made', async () => {
  const { house, olga, max, team, ofMax } = opened
  const { id } = await makeWith(ofMax)
  succeeded(await olga.send('DELETE', `/api/team/${team}/members/${max.id}?tokens=keep`))
  expect([await look(ofMax, id), await look(second, id), await look(ofEve, id)]).toEqual([200, 200, 404])
  expect(await house.rig.differences()).toEqual([])
})
