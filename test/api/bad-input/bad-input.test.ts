// Every call of the table, with input made from its schemas and then spoilt, as everyone who may and may not.
// The cases are drawn at random from a fixed seed, which a failure names. Longer runs:
//   BAD_INPUT_SEEDS=50 BAD_INPUT_CASES=200 bun test test/api/bad-input     fifty seeds, 200 cases of each call
//   BAD_INPUT_SEED=12345 bun test test/api/bad-input                       the run that a failure named
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Access, Endpoint } from '../../../contract/endpoint.ts'
import { type EndpointName, endpoints } from '../../../contract/index.ts'
import { settingKeys } from '../../../contract/settings/index.ts'
import { type Random, seeded } from '../../faults/random.ts'
import { dropAll, engines } from '../../services/databases.ts'
import { drawCases, pick, tooLarge } from './draw-cases.ts'
import { type BadInputHouse, openBadInputHouse } from './house.ts'
import { type Answered, judge } from './judge-answer.ts'
import { differences } from './snapshot.ts'
import { type Case, writeCase } from './write-case.ts'

const FIRST_SEED = Number(process.env.BAD_INPUT_SEED ?? 20_261_115)
const SEEDS = Number(process.env.BAD_INPUT_SEEDS ?? 1)
const seeds = Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at)
const CASES = process.env.BAD_INPUT_CASES
/** Everything once on one engine; on the others enough to meet what only they refuse. */
const casesOn = { sqlite: 24, postgres: 5, mariadb: 5 } as const

const ranks: readonly Access[] = ['public', 'user', 'admin', 'root']
const table = Object.entries(endpoints) as [EndpointName, Endpoint][]
// Settings are spoilt last: some of what is taken there changes how the rest behaves.
table.sort(([one], [other]) => Number(one === 'saveOption') - Number(other === 'saveOption'))

/** Said to come from elsewhere: nearby callers may read some things without logging in. */
const elsewhere = { 'x-forwarded-for': '203.0.113.9' }
const otherPages: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
]
const forgedProofs: Record<string, string>[] = [
  { cookie: `session=${'A'.repeat(43)}` },
  { authorization: "Bearer ' OR '1'='1" },
]

afterAll(dropAll)

describe.each(engines.map(engine => [engine.name, engine] as const))('on %s', (name, engine) => {
  let house: BadInputHouse

  beforeAll(async () => {
    house = await openBadInputHouse(await engine.freshUrl())
  })
  afterAll(() => house.close())

  for (const seed of seeds)
    test.each(table)(`%s, seed ${seed}`, async (endpointName, endpoint) => {
      const random = seeded(seed ^ Number(Bun.hash.crc32(endpointName)))
      const walk = new Walk(house, endpoint, random)
      await walk.refuseStrangers()
      await walk.refuseSpoiltInput(Number(CASES ?? casesOn[name]))
      if (name === 'sqlite') await walk.refuseTooMuch()
      expect(walk.faults, `BAD_INPUT_SEED=${seed}`).toEqual([])
    })

  test('what belongs to someone else was among it', () => {
    const trespassing = table.filter(([, endpoint]) => house.trespass(endpoint))
    expect(trespassing.map(([endpointName]) => endpointName)).toEqual(
      expect.arrayContaining([
        'getToken',
        'updateToken',
        'deleteToken',
        'tokenKey',
        'getPrompt',
        'addPromptVersion',
        'updatePrompt',
        'deletePrompt',
        'requestTrail',
        'getTeam',
        'removeTeamMember',
        'editUser',
      ]),
    )
    expect(trespassing.length).toBeGreaterThan(9)
  })

  test('nothing failed unseen, and the books and the record of changes are whole', async () => {
    const { root } = house.callers
    expect((await root.get('/api/audit/verify')).json.data).toMatchObject({ intact: true })
    expect((await root.get('/api/ledger/audit')).json.data.differences).toEqual([])
    expect(house.rig.program.output().match(/.*a request failed(?!.*fetch_models).*/g)).toBeNull()
  })
})

class Walk {
  readonly faults: string[] = []
  readonly #house: BadInputHouse
  readonly #endpoint: Endpoint
  readonly #random: Random

  constructor(house: BadInputHouse, endpoint: Endpoint, random: Random) {
    this.#house = house
    this.#endpoint = endpoint
    this.#random = random
  }

  /** Too low a rank or none, another site's page, a cookie without its owner's name, and what is someone else's. */
  async refuseStrangers(): Promise<void> {
    const { access, changes, team } = this.#endpoint
    const { callers, foreignTeam } = this.#house
    const good = writeCase(this.#endpoint, this.#meant(), 'as it should be', {}, true)
    const before = await this.#snapshot()
    for (const rank of ranks.slice(0, ranks.indexOf(access))) await this.#send(rank, good, elsewhere)
    for (const headers of changes ? otherPages : []) await this.#send('root', good, headers)
    if (access !== 'public') {
      for (const name of ['999', '1 OR 1=1'])
        await this.#send('root', good, { ...elsewhere, 'new-api-user': name })
      for (const proof of forgedProofs) await this.#send('public', good, { ...elsewhere, ...proof })
    }
    if (team)
      for (const named of [String(foreignTeam), '987654', String(callers.user.userId), '-1', '1 OR 1=1', ''])
        await this.#send(access, { ...good, what: 'for another team' }, { 'tollgate-team': named })
    const trespass = this.#house.trespass(this.#endpoint)
    if (trespass) await this.#send(access, writeCase(this.#endpoint, trespass, 'of someone else', {}, true))
    this.#expectUnchanged('strangers', differences(before, await this.#snapshot()))
  }

  async refuseSpoiltInput(count: number): Promise<void> {
    const { changes } = this.#endpoint
    let before = await this.#snapshot()
    for (const sent of drawCases(this.#endpoint, this.#meant(), this.#random, count)) {
      const refused = await this.#sendOnceOrTwice(sent)
      if (!changes && !sent.bad) continue
      const after = await this.#snapshot()
      if (refused) this.#expectUnchanged(sent.what, differences(before, after))
      before = after
    }
  }

  async refuseTooMuch(): Promise<void> {
    const sent = tooLarge(this.#endpoint, this.#meant())
    const answer = sent && (await this.#send(this.#endpoint.access, sent))
    if (answer && answer.status !== 413) this.faults.push(`ten megabytes: ${answer.status} instead of 413`)
  }

  #snapshot() {
    return this.#house.snapshot()
  }

  #meant() {
    const meant = this.#house.wellMeant(this.#endpoint)
    if (this.#endpoint.path !== '/api/option') return meant
    // Limits would end the walk, and without password login nobody would come back.
    const keys = settingKeys.filter(key => !/RateLimit|PasswordLogin|ServerAddress/.test(key))
    return { ...meant, fields: { key: pick(this.#random, keys) } }
  }

  /** Some are sent twice at once, as impatient people do. Whether all of it was refused. */
  async #sendOnceOrTwice(sent: Case): Promise<boolean> {
    const rank = this.#random(0, 4) === 0 ? 'root' : this.#endpoint.access
    const times = this.#random(0, 7) === 0 ? 2 : 1
    const answers = await Promise.all(Array.from({ length: times }, () => this.#send(rank, sent)))
    return answers.every(answer => judge(this.#endpoint, answer).refused)
  }

  async #send(rank: Access, sent: Case, headers: Record<string, string> = {}): Promise<Answered> {
    const endpoint = this.#endpoint
    const answer = await this.#house
      .send(this.#house.callers[rank], endpoint, sent, headers)
      .catch(error => ({ status: 599, type: '', text: `no answer: ${error}` }))
    const { refused, fault } = judge(endpoint, answer)
    const told = `${rank} ${endpoint.method} ${sent.path.slice(0, 200)} (${sent.what}) ${JSON.stringify(headers)}`
    if (fault) this.faults.push(`${told}: ${fault}`)
    if (sent.bad && !refused) this.faults.push(`${told}: was taken: ${answer.text.slice(0, 200)}`)
    return answer
  }

  #expectUnchanged(what: string, changes: readonly string[]): void {
    if (changes.length > 0)
      this.faults.push(`refused and yet changed (${what}):\n  ${changes.slice(0, 5).join('\n  ')}`)
  }
}
