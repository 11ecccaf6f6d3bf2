// What outlives a membership or an account, and must not; and what an account may keep, however many ask at once.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MOST_PROMPT_ROOM, MOST_PROMPTS } from '../../../contract/prompts.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { actingFor, openTeamHouse, type Person, succeeded, type TeamHouse } from './team-house.ts'

afterAll(dropAll)

const say = (content: string) => [{ role: 'user', content }]

describe.each(engines.map(engine => [engine.name, engine] as const))('left behind on %s', (_name, engine) => {
  let house: TeamHouse
  let olga: Person

  beforeAll(async () => {
    house = await openTeamHouse(await engine.freshUrl())
    olga = await house.person()
  })
  afterAll(async () => {
    expect(await house.rig.differences()).toEqual([])
    await house.rig.close()
  })

  describe('prompts', () => {
    const rowsOf = async (userId: number) => {
      const { db } = house.rig.store
      const prompts = await db.selectFrom('prompts').select('id').where('user_id', '=', userId).execute()
      const versions = await db.selectFrom('prompt_versions').select('prompt_id').execute()
      return [
        prompts.length,
        versions.filter(({ prompt_id }) => prompts.some(({ id }) => id === prompt_id)).length,
      ]
    }
    const createAtOnce = async (who: Person, count: number, headers = {}) => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, at) =>
          who.post('/api/prompt', { name: `at-once-${at}`, messages: say('hi') }, headers),
        ),
      )
      return answers.filter(({ json }) => json.success).length
    }
    /** As if the account had kept them for long. */
    async function keep(userId: number, count: number): Promise<void> {
      const row = { user_id: userId, version: 1, newest: 1, created_by: 0, created_at: 1, updated_at: 1 }
      const values = Array.from({ length: count }, (_, at) => ({ ...row, name: `kept-${at}` }))
      await house.rig.store.db.insertInto('prompts').values(values).execute()
    }

    test('however many are made at once, no account keeps more than it may', async () => {
      const person = await house.person()
      await keep(person.id, MOST_PROMPTS - 2)
      expect(await createAtOnce(person, 10)).toBe(2)
      expect((await rowsOf(person.id))[0]).toBe(MOST_PROMPTS)
      const team = await house.team(olga)
      await keep(team, MOST_PROMPTS - 2)
      expect(await createAtOnce(olga, 10, actingFor(team))).toBe(2)
    })

    test('nor do they take more room, whichever of them grow', async () => {
      const person = await house.person()
      const made = await Promise.all(
        ['one', 'two', 'three', 'four'].map(async name =>
          succeeded(await person.post('/api/prompt', { name, messages: say('hi') })),
        ),
      )
      const { db } = house.rig.store
      const size = MOST_PROMPT_ROOM - 90_000
      await db.updateTable('prompt_versions').set({ size }).where('prompt_id', '=', made[0].id).execute()
      const answers = await Promise.all(
        made.map(({ id }) =>
          person.post(`/api/prompt/${id}/version`, { messages: say('a'.repeat(60_000)), use: true }),
        ),
      )
      expect(answers.filter(({ json }) => json.success)).toHaveLength(1)
    })

    test('go with the account that has kept them, a person’s or a team’s, and with what else is of no use', async () => {
      const { store } = house.rig
      const [person, deleted] = [await house.person(), await house.person()]
      const team = await house.team(person)
      for (const [who, headers] of [
        [person, {}],
        [deleted, {}],
        [person, actingFor(team)],
      ] as const)
        expect(await createAtOnce(who, 2, headers)).toBe(2)
      const row = { user_id: deleted.id, created_at: 1 }
      await store.db
        .insertInto('two_factors')
        .values({ ...row, secret_sealed: '', confirmed_at: 0, last_step: 0 })
        .execute()
      await store.db.insertInto('backup_codes').values({ user_id: deleted.id, code_hash: 'x' }).execute()
      await store.db
        .insertInto('passkeys')
        .values({
          ...row,
          ...{ name: 'key', credential_hash: `h${deleted.id}`, credential_id: 'c', public_key: 'k' },
          ...{ counter: 0, transports: '', last_used_at: 0 },
        })
        .execute()
      // One more is on its way meanwhile.
      const late = Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          person.post('/api/prompt', { name: `late-${at}`, messages: say('hi') }, actingFor(team)),
        ),
      )
      succeeded(await house.root.send('DELETE', `/api/user/${team}`))
      await late
      succeeded(await deleted.send('DELETE', '/api/user/self'))
      expect([await rowsOf(team), await rowsOf(deleted.id)]).toEqual([
        [0, 0],
        [0, 0],
      ])
      const orphans = store.db
        .selectFrom('prompt_versions')
        .select('id')
        .where('prompt_id', 'not in', store.db.selectFrom('prompts').select('id'))
      expect(await orphans.execute()).toEqual([])
      expect(await rowsOf(person.id)).toEqual([2, 2])
      for (const table of ['two_factors', 'backup_codes', 'passkeys'] as const)
        expect(
          await store.db.selectFrom(table).selectAll().where('user_id', '=', deleted.id).execute(),
        ).toEqual([])
    })
  })

  describe('a team’s reminder', () => {
    const remindAt = (who: Person, team: number, email: string) =>
      who.send('PUT', '/api/user/setting', {
        body: { notify_type: 'email', quota_warning_threshold: 777, notification_email: email },
        headers: actingFor(team),
      })
    const reminded = async (team: number) => {
      const { db } = house.rig.store
      const row = await db
        .selectFrom('user_notices')
        .selectAll()
        .where('user_id', '=', team)
        .executeTakeFirst()
      return row && [row.email, row.threshold]
    }
    /** A team of Olga's with another owner, who has said where it is told. */
    async function secondOwner(): Promise<{ team: number; second: Person }> {
      const second = await house.person()
      const team = await house.team(olga, second)
      succeeded(await olga.put(`/api/team/${team}/members/${second.id}`, { role: 'owner' }))
      succeeded(await remindAt(second, team, 'second@example.com'))
      expect(await reminded(team)).toEqual(['second@example.com', 777])
      return { team, second }
    }

    test.each([
      ['is removed', ({ team, second }) => olga.send('DELETE', `/api/team/${team}/members/${second.id}`)],
      [
        'is an owner no more',
        ({ team, second }) => olga.put(`/api/team/${team}/members/${second.id}`, { role: 'member' }),
      ],
      ['leaves', ({ team, second }) => second.post(`/api/team/${team}/leave`, {})],
      ['is deleted', ({ second }) => house.root.send('DELETE', `/api/user/${second.id}`)],
      ['deletes their account', ({ second }) => second.send('DELETE', '/api/user/self')],
    ] as [string, (of: { team: number; second: Person }) => ReturnType<Person['post']>][])(
      'goes to nobody once who had it sent to them %s',
      async (_, end) => {
        const { team, second } = await secondOwner()
        succeeded(await end({ team, second }))
        expect(await reminded(team)).toEqual([null, 777])
        expect(succeeded(await olga.get('/api/user/setting', actingFor(team)))).toMatchObject({
          notification_email: '',
          quota_warning_threshold: 777,
        })
      },
    )

    test('goes on where another owner has said so, and where nobody knows who has, it stops', async () => {
      const { team, second } = await secondOwner()
      succeeded(await remindAt(olga, team, 'olga@example.com'))
      succeeded(await olga.send('DELETE', `/api/team/${team}/members/${second.id}`))
      expect(await reminded(team)).toEqual(['olga@example.com', 777])
      const older = await secondOwner()
      await house.rig.store.db
        .updateTable('user_notices')
        .set({ set_by: 0 })
        .where('user_id', '=', older.team)
        .execute()
      succeeded(await olga.send('DELETE', `/api/team/${older.team}/members/${older.second.id}`))
      expect(await reminded(older.team)).toEqual([null, 777])
    })

    test('is not led elsewhere by who is removed at that moment', async () => {
      const { team, second } = await secondOwner()
      const saving = Array.from({ length: 8 }, (_, at) => remindAt(second, team, `s${at}@example.com`))
      await Promise.all([...saving, olga.send('DELETE', `/api/team/${team}/members/${second.id}`)])
      expect(await reminded(team)).toEqual([null, 777])
    })
  })

  test('an invitation goes with who has sent it, though an administrator may send another', async () => {
    const [boss, guest] = [await house.person(), await house.person()]
    const team = await house.team(olga, boss)
    succeeded(await house.root.post('/api/user/manage', { id: boss.id, action: 'promote' }))
    succeeded(await boss.post(`/api/team/${team}/invitations`, { invitee: guest.name, role: 'owner' }))
    expect((await house.look(olga, team)).invitations).toHaveLength(1)
    succeeded(await olga.send('DELETE', `/api/team/${team}/members/${boss.id}`))
    expect((await house.look(olga, team)).invitations).toEqual([])
    expect(succeeded(await guest.get('/api/team/self')).invitations).toEqual([])
  })

  test('an invitation by an administrator who is none any more lets nobody in', async () => {
    const [boss, guest] = [await house.person(), await house.person()]
    const team = await house.team(olga)
    succeeded(await house.root.post('/api/user/manage', { id: boss.id, action: 'promote' }))
    succeeded(await boss.post(`/api/team/${team}/invitations`, { invitee: guest.name, role: 'owner' }))
    const invited = async () => succeeded(await guest.get('/api/team/self')).invitations.length
    expect(await invited()).toBe(1)
    succeeded(await house.root.post('/api/user/manage', { id: boss.id, action: 'demote' }))
    expect(await invited()).toBe(0)
    expect((await guest.post(`/api/team/${team}/accept`, {})).json.success).toBe(false)
    succeeded(
      await olga.send(
        'DELETE',
        `/api/team/${team}/invitations/${(await house.look(olga, team)).invitations[0]?.id}`,
      ),
    )
    succeeded(await olga.post(`/api/team/${team}/invitations`, { invitee: guest.name, role: 'member' }))
    expect(await invited()).toBe(1)
    succeeded(await guest.post(`/api/team/${team}/accept`, {}))
  })
})
