import type { Access, Endpoint } from '../../../contract/endpoint.ts'
import { hashPassword } from '../../../server/services/accounts/passwords.ts'
import { Client, rootClient } from '../../client.ts'
import { openRig, type Rig } from '../../relay/rig.ts'
import { addPrompt } from '../../services/add-prompt.ts'
import { startStripe } from '../wallet/stripe-stand-in.ts'
import type { Answered } from './judge-answer.ts'
import { fieldsOf } from './sample-input.ts'
import { openSnapshots, type Snapshot } from './snapshot.ts'
import type { Case, WellMeant } from './write-case.ts'

const password = 'users-pass-1'
const CLOSED = 'http://127.0.0.1:9'

interface Owned {
  readonly token: number
  readonly prompt: number
  readonly requestId: string
}

/** The program with someone of every rank logged in, rows for ids to name, and everything outside closed. */
export interface BadInputHouse {
  readonly rig: Rig
  close(): Promise<void>
  /** One that nobody of the callers is in. */
  readonly foreignTeam: number
  readonly callers: Readonly<Record<Access, Client>>
  snapshot(): Promise<Snapshot>
  wellMeant(endpoint: Endpoint): WellMeant
  /** The same with the id of what belongs to someone else, or of someone above; where a call names anything. */
  trespass(endpoint: Endpoint): WellMeant | undefined
  send(caller: Client, endpoint: Endpoint, sent: Case, headers?: Record<string, string>): Promise<Answered>
}

const options = {
  ...{ GlobalApiRateLimit: '0', CriticalRateLimit: '0' },
  ...{
    ServerAddress: 'http://localhost:3000',
    SMTPServer: '127.0.0.1',
    SMTPPort: '9',
    SMTPAccount: 'a@b.example',
  },
  ...{
    PayAddress: CLOSED,
    EpayId: '1001',
    GitHubOAuthEnabled: 'true',
    GitHubClientId: 'x',
    GitHubAddress: CLOSED,
  },
  ...{ CheckinEnabled: 'true', RankingsEnabled: 'true', ModelFiguresEnabled: 'true' },
  ...{ WeChatAuthEnabled: 'true', WeChatServerAddress: CLOSED, TelegramOAuthEnabled: 'true' },
}

export async function openBadInputHouse(databaseUrl: string): Promise<BadInputHouse> {
  const hash = await hashPassword(password)
  const people: Record<string, number> = {}
  let channel = 0
  const rig = await openRig(
    async books => {
      for (const [key, value] of Object.entries(options)) await books.setOption(key, value)
      channel = await books.addChannel({
        type: 1,
        baseUrl: CLOSED,
        key: 'sk-of-the-channel',
        models: ['gpt-4o'],
      })
    },
    { DATABASE_URL: databaseUrl },
  )
  const { store, url } = rig
  const stripe = await startStripe()
  const root = await rootClient(url)
  await root.saveOption('EpayKey', 'merchants-key')
  for (const [key, value] of Object.entries(stripe.settings))
    if (key.startsWith('Stripe')) await root.saveOption(key, value)
  const enter = async (name: string, role: number): Promise<Client> => {
    const id = await rig.addUser({ role, quota: role === 1 ? 1_000_000 : 0 })
    const row = { username: name, password_hash: hash, aff_quota: 0 }
    await store.db.updateTable('users').set(row).where('id', '=', id).execute()
    people[name] = id
    const client = new Client(url)
    const answer = await client.login(name, password)
    if (!answer.json?.success) throw new Error(`${name} could not log in: ${answer.text}`)
    return client
  }
  const [user, admin] = [await enter('walker', 1), await enter('keeper', 10)]
  await enter('stranger', 1)
  const victim = await rig.addUser()
  const own = await addOwned(rig, people.walker ?? 0)
  const foreign = await addOwned(rig, people.stranger ?? 0)
  const redemption = await addRedemption(admin)
  const subscription = await addPlan(admin)
  const team = await addTeam(root, 'ours', 'walker')
  const foreignTeam = await addTeam(root, 'theirs', 'stranger')
  const ids: Record<string, number> = {
    team,
    token: own.token,
    prompt: own.prompt,
    channel,
    redemption,
    subscription,
    user: victim,
  }
  const naming = (endpoint: Endpoint, id: string): WellMeant['params'] =>
    Object.fromEntries([...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, id]))
  const snapshots = openSnapshots(store, databaseUrl)
  return {
    rig,
    async close() {
      snapshots.close()
      await rig.close()
      await stripe.stop()
    },
    foreignTeam,
    callers: { public: new Client(url), user, admin, root },
    snapshot: () => snapshots.take(),
    wellMeant(endpoint) {
      const id = ids[endpoint.path.split('/')[2] ?? ''] ?? 987_654
      // What is deleted by the way would be missed later.
      const shown = endpoint.method === 'DELETE' ? 987_654 : id
      return { params: naming(endpoint, String(shown)), fields: { id } }
    },
    trespass(endpoint) {
      const { access, path } = endpoint
      const theirs: Record<string, string> = {
        '/api/token': String(foreign.token),
        '/api/prompt': String(foreign.prompt),
        '/api/log/trail': foreign.requestId,
        '/api/team': String(foreignTeam),
      }
      const id = access === 'user' ? theirs[path.replace(/\/:.*/, '')] : String(root.userId)
      if (id === undefined || !(access === 'user' || /^\/api\/user(\/:|\/manage|$)/.test(path)))
        return undefined
      if (!path.includes(':') && !('id' in fieldsOf(endpoint.body))) return undefined
      return { params: naming(endpoint, id), fields: { id: Number(id), action: 'disable' } }
    },
    send: (caller, endpoint, sent, headers) => send(url, caller, endpoint, sent, headers),
  }
}

async function addOwned(rig: Rig, userId: number): Promise<Owned> {
  const { id: token } = await rig.addToken({ userId, budget: 1000 })
  const { store } = rig
  await store.db
    .updateTable('tokens')
    .set({
      key_sealed: store.cipher.seal({ table: 'tokens', column: 'key_sealed', row: token }, `key${token}`),
    })
    .where('id', '=', token)
    .execute()
  const hold = { id: `request-${userId}`, node_id: 'gone', user_id: userId, token_id: 0, amount: 0 }
  const rest = { token_amount: 0, checkpoint: 0, charge: 0, state: 'released', price: '{}' }
  await store.db
    .insertInto('holds')
    .values({ ...hold, ...rest, created_at: 1, updated_at: 1 })
    .execute()
  return { token, prompt: await addPrompt(store, userId), requestId: hold.id }
}

/** Its number is also that of what is sold of it first, and of a user. */
async function addPlan(admin: Client): Promise<number> {
  const terms = { title: 'plan', price: 1, duration: 1, duration_unit: 'day', quota: 100, period: 'none' }
  return (await admin.post('/api/subscription/admin/plans', terms)).json.data.id
}

async function addTeam(root: Client, name: string, owner: string): Promise<number> {
  return (await root.post('/api/team', { name, owner })).json.data.id
}

async function addRedemption(admin: Client): Promise<number> {
  await admin.post('/api/redemption/', { name: 'code', quota: 100, count: 1 })
  const { json } = await admin.get('/api/redemption/?p=0')
  return json.data[0].id
}

/** Exactly these bytes, which a well-behaved client would not send. */
async function send(
  url: string,
  caller: Client,
  endpoint: Endpoint,
  { path, body, headers: own }: Case,
  more: Record<string, string> = {},
): Promise<Answered> {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...own }
  if (caller.cookie) headers.cookie = `session=${caller.cookie}`
  if (caller.userId !== undefined) headers['new-api-user'] = String(caller.userId)
  Object.assign(headers, more)
  const leave = new AbortController()
  const response = await fetch(`${url}${path}`, {
    method: endpoint.method,
    headers,
    redirect: 'manual',
    signal: leave.signal,
    ...(body && endpoint.method !== 'GET' ? { body } : {}),
  })
  const type = response.headers.get('content-type') ?? ''
  const { status } = response
  if (!type.startsWith('text/event-stream')) return { status, type, text: await response.text() }
  leave.abort()
  return { status, type, text: '' }
}
