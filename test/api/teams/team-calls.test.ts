// What members call is paid by their team, and each sees what is theirs to see.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { LogView } from '../../../contract/logs.ts'
import type { TokenView } from '../../../contract/tokens.ts'
import { hashPassword } from '../../../server/services/accounts/passwords.ts'
import { type Client, loggedIn } from '../../client.ts'
import { until } from '../../program.ts'
import { ask, chat, requestIdOf } from '../../relay/ways.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { actingFor, makeToken, type OlgasTeam, openOlgasTeam, type Person, succeeded } from './team-house.ts'

afterAll(dropAll)

const PASSWORD = 'users-pass-1'

describe.each(engines.map(engine => [engine.name, engine] as const))(
  'calls of a team on %s',
  (_name, engine) => {
    let opened: OlgasTeam
    let house: OlgasTeam['house']
    let olga: OlgasTeam['olga']
    let max: OlgasTeam['max']
    let eve: OlgasTeam['eve']
    let team: OlgasTeam['team']
    let ofOlga: OlgasTeam['ofOlga']
    let ofMax: OlgasTeam['ofMax']

    beforeAll(async () => {
      opened = await openOlgasTeam(await engine.freshUrl(), { LogContentScope: 'all' })
      ;({ house, olga, max, eve, team, ofOlga, ofMax } = opened)
    })
    afterAll(async () => {
      expect(await opened.close()).toEqual([])
    })

    async function callWith(key: string): Promise<{ status: number; requestId: string }> {
      const response = await ask(house.rig.url, chat, { key: `sk-${key}` })
      await response.text()
      return { status: response.status, requestId: requestIdOf(response) }
    }

    const logsOf = async (client: Client): Promise<LogView[]> =>
      succeeded(await client.get('/api/log/self?p=1&page_size=50&type=2', actingFor(team))).items

    test('the team pays, exactly and alone', async () => {
      const before = await Promise.all([team, olga.id, max.id].map(id => house.rig.balance(id)))
      const { requestId } = await callWith(ofMax.key)
      expect(await house.rig.logOf(requestId)).toMatchObject({ user_id: team, token_id: ofMax.id })
      const charge = (await house.rig.chargeOf(requestId)) ?? 0
      expect(charge).toBeGreaterThan(0)
      const after = await Promise.all([team, olga.id, max.id].map(id => house.rig.balance(id)))
      expect(after).toEqual([(before[0] ?? 0) - charge, before[1] ?? 0, before[2] ?? 0])
      expect(await house.rig.differences()).toEqual([])
    })

    test('owners see the calls of all, members their own, in every way there is to look', async () => {
      const byOlga = await callWith(ofOlga.key)
      const byMax = await callWith(ofMax.key)
      for (const { requestId } of [byOlga, byMax]) await house.rig.logOf(requestId)
      const seenBy = async (client: Client) => new Set((await logsOf(client)).map(({ token_id }) => token_id))
      expect(await seenBy(olga)).toEqual(new Set([ofOlga.id, ofMax.id]))
      expect(await seenBy(max)).toEqual(new Set([ofMax.id]))
      expect(await seenBy(eve)).toEqual(new Set())
      const mine = (await logsOf(max)).reduce((sum, { quota }) => sum + quota, 0)
      const all = (await logsOf(olga)).reduce((sum, { quota }) => sum + quota, 0)
      expect(mine).toBeLessThan(all)
      for (const [client, quota] of [
        [max, mine],
        [olga, all],
        [eve, 0],
      ] as const) {
        const acting = actingFor(team)
        expect(succeeded(await client.get('/api/log/self/stat', acting)).quota).toBe(quota)
        const hours = succeeded(await client.get('/api/data/self', acting))
        expect(hours.reduce((sum: number, row: { quota: number }) => sum + row.quota, 0)).toBe(quota)
        const { rows } = succeeded(await client.get('/api/statistics/self?by=token&unit=all', acting))
        expect(rows.reduce((sum: number, row: { quota: number }) => sum + row.quota, 0)).toBe(quota)
      }
      // Each of them labels the same way, and sees of that label what is theirs to see.
      for (const { key } of [ofOlga, ofMax]) {
        const headers = { 'x-tollgate-labels': 'project:ours' }
        const labelled = await ask(house.rig.url, chat, { key: `sk-${key}`, headers })
        await labelled.text()
        await house.rig.logOf(requestIdOf(labelled))
      }
      for (const [client, calls] of [
        [olga, 2],
        [max, 1],
        [eve, 0],
      ] as const) {
        const acting = actingFor(team)
        const { rows } = succeeded(await client.get('/api/statistics/self?by=label&unit=all', acting))
        const { items, total } = succeeded(await client.get('/api/log/self?label=project:ours', acting))
        const { quota } = succeeded(await client.get('/api/log/self/stat?label=project:ours', acting))
        expect([total, items.length]).toEqual([calls, calls])
        expect(quota).toBe(items.reduce((sum: number, row: LogView) => sum + row.quota, 0))
        expect(
          rows.map((row: { key: string; requests: number; quota: number }) => [
            row.key,
            row.requests,
            row.quota,
          ]),
        ).toEqual(calls === 0 ? [] : [['project:ours', calls, quota]])
      }
      const found = succeeded(await max.get('/api/log/self/search?keyword=gpt-4o', actingFor(team)))
      expect(new Set(found.map(({ token_id }: LogView) => token_id))).toEqual(new Set([ofMax.id]))
      const file = (await max.get(`/api/log/self/export?team=${team}`)).text
      expect([file.includes('of max'), file.includes('of olga')]).toEqual([true, false])
      // By what a filter names, nobody gets around it.
      for (const filter of [
        'token_name=of%20olga',
        'model_name=gpt-4o&group=default',
        `request_id=${byOlga.requestId}`,
      ]) {
        const rows = succeeded(
          await max.get(`/api/log/self?p=1&page_size=50&${filter}`, actingFor(team)),
        ).items
        expect(rows.filter(({ token_id }: LogView) => token_id !== ofMax.id)).toEqual([])
      }
      for (const [client, requestId, isTheirs] of [
        [olga, byMax.requestId, true],
        [max, byMax.requestId, true],
        [max, byOlga.requestId, false],
        [eve, byMax.requestId, false],
      ] as const)
        for (const look of ['trail', 'content']) {
          const path = `/api/log/${look}/${requestId}`
          // What was said is written a moment after the row.
          if (isTheirs && look === 'content')
            await until(async () => (await client.get(path, actingFor(team))).json.success)
          expect([path, (await client.get(path, actingFor(team))).json.success]).toEqual([path, isTheirs])
          expect((await client.get(path)).json.success).toBe(false)
        }
    })

    test('who follows the log hears their own, and nothing more once they are out', async () => {
      const leaver = await house.person()
      succeeded(await house.root.post(`/api/team/${team}/members`, { username: leaver.name }))
      const ofLeaver = await makeToken(leaver, team)
      const heard: string[] = []
      const abort = new AbortController()
      const { authorization } = await tokenOf(leaver)
      const tail = await fetch(`${house.rig.url}/api/log/self/tail?after_id=0&team=${team}`, {
        headers: { authorization },
        signal: abort.signal,
      })
      expect(tail.status).toBe(200)
      const hearing = (async () => {
        const decoder = new TextDecoder()
        for await (const chunk of tail.body ?? []) heard.push(decoder.decode(chunk as Uint8Array))
        return 'ended'
      })()
      await callWith(ofOlga.key)
      const own = await callWith(ofLeaver.key)
      await until(async () => heard.join('').includes(own.requestId) || undefined)
      expect(heard.join('')).not.toContain('of olga')
      succeeded(await olga.send('DELETE', `/api/team/${team}/members/${leaver.id}?tokens=keep`))
      expect(await hearing).toBe('ended')
      abort.abort()
    })

    test('keys of those who left are refused at the next call, and so are those of who is banned', async () => {
      const leaver = await house.person()
      succeeded(await house.root.post(`/api/team/${team}/members`, { username: leaver.name }))
      const { key } = await makeToken(leaver, team)
      expect((await callWith(key)).status).toBe(200)
      succeeded(await house.root.post('/api/user/manage', { id: leaver.id, action: 'disable' }))
      await until(async () => (await callWith(key)).status === 403 || undefined)
      succeeded(await house.root.post('/api/user/manage', { id: leaver.id, action: 'enable' }))
      await until(async () => (await callWith(key)).status === 200 || undefined)
      succeeded(await leaver.post(`/api/team/${team}/leave`, {}))
      await until(async () => (await callWith(key)).status !== 200 || undefined)
      const before = await house.rig.balance(team)
      expect((await callWith(key)).status).toBeOneOf([401, 403])
      expect(await house.rig.balance(team)).toBe(before)
    })

    test('the playground spends the team’s money by a token of whoever plays, which owners can stop', async () => {
      await house.rig.store.db
        .updateTable('users')
        .set({ password_hash: await hashPassword(PASSWORD) })
        .where('id', '=', eve.id)
        .execute()
      const client = await loggedIn(house.rig.url, eve.name, PASSWORD)
      const play = (headers: Record<string, string>) =>
        client.post('/pg/chat/completions', chat.body('gpt-4o', 'hi', false), headers)
      const [own, ofTeam] = [await house.rig.balance(eve.id), await house.rig.balance(team)]
      const answers = await Promise.all([1, 2, 3].map(() => play(actingFor(team))))
      for (const answer of answers)
        expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)])
      const rows = await Promise.all(
        answers.map(({ headers }) => house.rig.logOf(headers.get('x-oneapi-request-id') ?? '')),
      )
      const [first] = rows
      expect(rows.every(row => row.user_id === team && row.token_id === first?.token_id)).toBe(true)
      expect(await house.rig.balance(eve.id)).toBe(own)
      const paid = rows.reduce((sum, { quota }) => sum + quota, 0)
      expect(await house.rig.balance(team)).toBe(ofTeam - paid)
      expect((await logsOf(eve)).map(({ token_id }) => token_id)).toEqual(
        [1, 2, 3].map(() => first?.token_id ?? 0),
      )
      const token: TokenView = succeeded(await olga.get(`/api/token/${first?.token_id}`, actingFor(team)))
      expect(token).toMatchObject({ name: 'playground', key: '', created_by: eve.id, used_quota: paid })
      succeeded(
        await olga.send('PUT', '/api/token?status_only=1', {
          body: { id: token.id, status: 2 },
          headers: actingFor(team),
        }),
      )
      expect((await play(actingFor(team))).status).toBeOneOf([401, 403])
      expect((await play({})).status).toBe(200)
      for (const named of ['987654', String(eve.id), '1', 'x'])
        expect((await play(actingFor(named))).status).toBeOneOf([400, 403])
      // Who comes back after having left begins anew.
      succeeded(await olga.send('DELETE', `/api/team/${team}/members/${eve.id}?tokens=keep`))
      expect((await play(actingFor(team))).status).toBe(403)
      succeeded(await house.root.post(`/api/team/${team}/members`, { username: eve.name }))
      expect((await play(actingFor(team))).status).toBe(200)
    })

    /** The header that somebody proves themselves with. */
    async function tokenOf(person: Person): Promise<{ authorization: string }> {
      const token = succeeded(await person.get('/api/user/token'))
      return { authorization: token }
    }
  },
)
