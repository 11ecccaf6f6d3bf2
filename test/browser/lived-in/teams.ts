import type { Client } from '../../client.ts'

/** A team with people in it, of whom the user is one that owns it, somebody who is asked to come, and one that asks. */
export async function formTeams(root: Client, user: Client): Promise<void> {
  const id = await form(root, '智能客服', 'linyue')
  await succeed(root.put('/api/user', { id, quota: 62_500_000, group: 'vip' }))
  for (const username of ['sophie', 'daniel.k', 'zhanghao'])
    await succeed(root.post(`/api/team/${id}/members`, { username }))
  await limit(user, id, 'sophie', [{ period: 'day', amount: 2_500_000 }])
  await limit(user, id, 'daniel.k', [
    { period: 'five-hours', amount: 1_000_000 },
    { period: 'month', amount: 25_000_000 },
  ])
  const acting = { 'tollgate-team': String(id) }
  for (const name of ['客服机器人', 'nightly-evaluation'])
    await succeed(user.post('/api/token/', { name, unlimited_quota: true, expired_time: -1 }, acting))
  await succeed(user.post(`/api/team/${id}/invitations`, { invitee: 'amara@example.com' }))
  const other = await form(root, 'Research', 'wangmin')
  await succeed(root.post(`/api/team/${other}/invitations`, { invitee: 'linyue' }))
}

async function limit(owner: Client, team: number, name: string, limits: object[]): Promise<void> {
  const { members } = (await owner.get(`/api/team/${team}`)).json.data
  const { user_id } = members.find((member: { username: string }) => member.username === name)
  await succeed(owner.put(`/api/team/${team}/members/${user_id}/limits`, { limits }))
}

async function form(root: Client, name: string, owner: string): Promise<number> {
  return (await succeed(root.post('/api/team', { name, owner }))).json.data.id
}

async function succeed(call: ReturnType<Client['post']>): ReturnType<Client['post']> {
  const answer = await call
  if (!answer.json?.success) throw new Error(`a team was refused: ${answer.text}`)
  return answer
}
