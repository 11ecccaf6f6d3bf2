// Versions that are named by labels: what callers get, who moves one and what is told of it, and what a version came to.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MOST_PROMPT_LABELS, MOST_PROMPT_RELEASES } from '../../../contract/prompts.ts'
import type { JsonObject } from '../../../server/dialects/json.ts'
import {
  actingFor,
  type OlgasTeam,
  openOlgasTeam,
  type Person,
  succeeded,
} from '../../api/teams/team-house.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { ask, chat, requestIdOf } from '../ways.ts'

afterAll(dropAll)

const HEADER = 'x-tollgate-prompt'
const say = (content: string) => [{ role: 'user', content }]

describe.each(engines.map(engine => [engine.name, engine] as const))('labels on %s', (_name, engine) => {
  let town: OlgasTeam
  let key = ''
  let headers: Record<string, string> = {}

  beforeAll(async () => {
    town = await openOlgasTeam(await engine.freshUrl())
    key = `sk-${town.ofMax.key}`
    headers = { ...actingFor(town.team), 'accept-language': 'en' }
  })
  afterAll(async () => {
    expect(await town.close()).toEqual([])
  })

  /** A prompt of the team's that says which version it is, with the first of them in use. */
  async function keep(name: string, versions: number): Promise<string> {
    const { olga } = town
    const made = succeeded(await olga.post('/api/prompt', { name, messages: say('version 1') }, headers))
    const path = `/api/prompt/${made.id}`
    for (let version = 2; version <= versions; version++)
      succeeded(await olga.post(`${path}/version`, { messages: say(`version ${version}`) }, headers))
    return path
  }
  const put = (who: Person, path: string, body: object) => who.send('PUT', path, { body, headers })
  const remove = (who: Person, path: string) => who.send('DELETE', path, { headers })
  const move = (path: string, label: string, version: number, more: object = {}) =>
    put(town.olga, `${path}/label/${label}`, { version, ...more })
  const historyOf = async (path: string) =>
    succeeded(await town.olga.get(`${path}/release?page_size=100`, headers)).items.map(
      ({ label, from, to, creator }: JsonObject) => [label, from, to, creator],
    )

  /** What the vendor is asked, or the code of what is wrong. */
  async function saidTo(more: JsonObject, header?: string): Promise<unknown> {
    const answer = await ask(town.house.rig.url, chat, {
      key,
      more,
      headers: header ? { [HEADER]: header } : {},
    })
    const { error } = await answer.json()
    return error
      ? [answer.status, error.code, error.param]
      : /version \d/.exec(town.vendor.requests.at(-1)?.text ?? '')?.[0]
  }

  test('a label names its version wherever a number does; production is the one in use, latest the newest', async () => {
    const path = await keep('named', 3)
    succeeded(await move(path, 'staging', 2))
    for (const [named, version] of [
      [undefined, 'version 1'],
      ['production', 'version 1'],
      ['staging', 'version 2'],
      ['latest', 'version 3'],
      ['3', 'version 3'],
    ] as const) {
      const name = named === undefined ? 'named' : `named@${named}`
      expect([name, await saidTo({}, name)]).toEqual([name, version])
      expect(await saidTo({ prompt_id: name })).toBe(version)
      expect(await saidTo({ prompt: { id: name } })).toBe(version)
      if (named === undefined) continue
      expect(await saidTo({ prompt: { id: 'named', version: named } })).toBe(version)
      expect(await saidTo({ prompt_id: 'named', prompt_version: named })).toBe(version)
      const rendered = await fetch(`${town.house.rig.url}/v1/prompts/${name}/render`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{}',
      })
      expect((await rendered.json()).data.messages).toEqual(say(version))
    }
    // The newest that is still there.
    succeeded(await remove(town.olga, `${path}/version/3`))
    expect(await saidTo({}, 'named@latest')).toBe('version 2')
  })

  test('a label that is nowhere, and what can be none', async () => {
    await keep('unlabelled', 1)
    const absent = [404, 'prompt_not_found', undefined]
    for (const named of ['unlabelled@staging', 'unlabelled@Production', 'unlabelled@', 'unlabelled@1@1'])
      expect([named, (await saidTo({}, named))?.toString()]).toEqual([named, absent.toString()])
    for (const version of ['Staging', 'a b', '0', '-1', '', 'x'.repeat(37)])
      expect([version, await saidTo({ prompt_id: 'unlabelled', prompt_version: version })]).toEqual([
        version,
        version === '' ? 'version 1' : [400, 'invalid_text_request', 'prompt_version'],
      ])
    const answer = await ask(town.house.rig.url, chat, {
      ...{ key, more: { prompt_id: 'unlabelled@canary' } },
      headers: { 'accept-language': 'en' },
    })
    expect((await answer.json()).error.message).toContain('The prompt unlabelled has no label canary')
  })

  test('what is released is told with who, from where and to where, and taken back in one step', async () => {
    const { olga, max } = town
    const path = await keep('released', 2)
    succeeded(await move(path, 'production', 2, { from: 1 }))
    expect(await saidTo({}, 'released')).toBe('version 2')
    const { json } = await move(path, 'production', 1, { from: 1 })
    expect(json).toMatchObject({
      success: false,
      message: expect.stringContaining('has been moved meanwhile'),
    })
    expect(succeeded(await move(path, 'production', 1, { from: 2 })).version).toBe(1)
    expect(await saidTo({}, 'released')).toBe('version 1')
    // Where it stands already nothing happens, and nothing is told.
    succeeded(await move(path, 'production', 1))
    succeeded(await put(olga, path, { version: 2 }))
    const added = {
      messages: say('version 3'),
      use: true,
      labels: ['canary', 'staging'],
      note: 'all at once',
    }
    succeeded(await olga.post(`${path}/version`, added, headers))
    // Who takes back a release has seen it: what somebody else has released since stays.
    const late = await remove(olga, `${path}/label/canary?from=2`)
    expect(late.json).toMatchObject({ success: false, message: expect.stringContaining('moved meanwhile') })
    expect(succeeded(await remove(olga, `${path}/label/canary?from=3`)).labels).toEqual([
      { label: 'production', version: 3 },
      { label: 'staging', version: 3 },
    ])
    expect(await historyOf(path)).toEqual([
      ['canary', 3, 0, olga.name],
      ['staging', 0, 3, olga.name],
      ['canary', 0, 3, olga.name],
      ['production', 2, 3, olga.name],
      ['production', 1, 2, olga.name],
      ['production', 2, 1, olga.name],
      ['production', 1, 2, olga.name],
      ['production', 0, 1, olga.name],
    ])
    const record = await town.house.root.get('/api/audit?action=prompt.release&page_size=1')
    const [last] = record.json.data.items
    expect(last).toMatchObject({ action: 'prompt.release', username: olga.name })
    expect([last.before, last.after]).toEqual([{ labels: 'canary 3' }, { labels: 'canary –' }])
    // Members see it; only owners and who made it release.
    expect(succeeded(await max.get(`${path}/release`, headers)).total).toBe(8)
    for (const refused of [
      await put(max, `${path}/label/production`, { version: 1 }),
      await remove(max, `${path}/label/staging`),
    ])
      expect(refused.json.message).toBe('Only owners of the team and who made this prompt may change it')
  })

  test('what is refused', async () => {
    const { olga } = town
    const path = await keep('refused', 2)
    const why = async (answer: Promise<{ json: { success: boolean; message: string } }>) => {
      const { success, message } = (await answer).json
      return success || message
    }
    expect(await why(move(path, 'staging', 7))).toBe('There is no version 7')
    for (const label of ['latest', 'Staging', '7', 'x'.repeat(37), 'a%20b'])
      expect(await why(move(path, label, 2))).toContain('A label begins with a small letter')
    expect(await why(remove(olga, `${path}/label/production`))).toContain('production can be moved')
    expect(await why(remove(olga, `${path}/label/staging`))).toBe('There is no label staging')
    succeeded(await move(path, 'staging', 2))
    expect(await why(remove(olga, `${path}/version/2`))).toContain('carries the label staging')
    for (let at = 1; at < MOST_PROMPT_LABELS; at++) succeeded(await move(path, `l${at}`, 2))
    expect(await why(move(path, 'one-more', 2))).toContain('20 labels at most')
    expect(await why(move(path, 'production', 2))).toBe(true)
    const there = succeeded(await olga.get(path, headers)).labels
    expect([there.length, there[0]]).toEqual([MOST_PROMPT_LABELS + 1, { label: 'production', version: 2 }])
  })

  test('of many who roll back at once, one does; the history has an end', async () => {
    const path = await keep('raced', 2)
    succeeded(await move(path, 'production', 2))
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => move(path, 'production', 1, { from: 2 })),
    )
    expect(answers.filter(({ json }) => json.success)).toHaveLength(1)
    expect(await historyOf(path)).toHaveLength(3)
    const { db } = town.house.rig.store
    const id = Number(path.split('/').at(-1))
    const row = { prompt_id: id, label: 'production', from_version: 1, to_version: 2 }
    const rows = Array.from({ length: MOST_PROMPT_RELEASES }, () => ({
      ...row,
      created_by: 0,
      created_at: 1,
    }))
    await db.insertInto('prompt_releases').values(rows).execute()
    succeeded(await move(path, 'production', 2))
    const { total } = succeeded(await town.olga.get(`${path}/release`, headers))
    expect(total).toBe(MOST_PROMPT_RELEASES)
  })

  test('how often each version was asked for, and what it came to', async () => {
    const path = await keep('counted', 2)
    const { rig } = town.house
    let quota = 0
    for (const name of ['counted', 'counted@production', 'counted@latest']) {
      const answer = await ask(rig.url, chat, { key, more: { prompt_id: name } })
      await answer.text()
      if (name !== 'counted@latest') quota += (await rig.chargeOf(requestIdOf(answer))) ?? 0
    }
    town.vendor.next(town.vendor.failWith('bad-request', 'not today'))
    await saidTo({ prompt_id: 'counted@2' })
    await rig.differences()
    const [second, first] = succeeded(await town.olga.get(path, headers)).versions
    const today = Math.floor(Date.now() / 86_400_000) * 86_400
    expect(first).toMatchObject({ version: 1, requests: 2, errors: 0, quota })
    expect([second.version, second.requests, second.errors]).toEqual([2, 2, 1])
    expect([today, today - 86_400]).toContain(first.last_used)
    expect(first.quota).toBeGreaterThan(0)
  })

  test('of what it came to members see their own calls, and owners all of them, as in the log', async () => {
    const path = await keep('shared', 1)
    for (const { key: by } of [town.ofMax, town.ofMax, town.ofOlga]) {
      const answer = await ask(town.house.rig.url, chat, { key: `sk-${by}`, more: { prompt_id: 'shared' } })
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
    }
    await town.house.rig.differences()
    const seen = async (who: Person) => {
      const [version] = succeeded(await who.get(path, headers)).versions
      return [version.requests, version.quota > 0, version.last_used > 0]
    }
    expect(await seen(town.olga)).toEqual([3, true, true])
    expect(await seen(town.max)).toEqual([2, true, true])
    expect(await seen(town.eve)).toEqual([0, false, false])
  })

  test('a prompt whose label is taken off has been changed', async () => {
    const path = await keep('relabelled', 1)
    succeeded(await move(path, 'staging', 1))
    const { db } = town.house.rig.store
    await db.updateTable('prompts').set({ updated_at: 1 }).where('name', '=', 'relabelled').execute()
    succeeded(await remove(town.olga, `${path}/label/staging`))
    expect(succeeded(await town.olga.get(path, headers)).updated_at).toBeGreaterThan(1)
  })

  test('all of it goes with the prompt', async () => {
    const path = await keep('gone', 2)
    succeeded(await move(path, 'staging', 2))
    expect(await saidTo({ prompt_id: 'gone@staging' })).toBe('version 2')
    await town.house.rig.differences()
    succeeded(await remove(town.olga, path))
    const { db } = town.house.rig.store
    const id = Number(path.split('/').at(-1))
    for (const table of [
      'prompt_versions',
      'prompt_labels',
      'prompt_releases',
      'prompt_usage_daily',
      'prompt_usage_by_token',
    ] as const) {
      const left = await db.selectFrom(table).select('prompt_id').where('prompt_id', '=', id).execute()
      expect([table, left]).toEqual([table, []])
    }
  })
})
