import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, loggedIn } from '../../client.ts'
import { noonZone } from '../../noon-zone.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import { userRow } from '../users/user-row.ts'

const password = 'good-password'
const path = '/api/user/checkin'
let house: OpenProgram
let user: Client

beforeAll(async () => {
  // Gifts are by the day of the program's clock.
  house = await openProgram({ TZ: noonZone })
  const { url } = house.program
  await new Client(url).post('/api/user/register', { username: 'ann', password })
  user = await loggedIn(url, 'ann', password)
})
afterAll(() => house.close())

const save = async (key: string, value: string) => (await house.root.saveOption(key, value)).json.message
const statusSays = async () =>
  (await new Client(house.program.url).get('/api/status')).json.data.checkin_enabled

test('while it is switched off there is no such thing', async () => {
  expect(await statusSays()).toBe(false)
  const off = { success: false, message: '签到功能未启用', data: null }
  for (const answer of [await user.get(path), await user.post(path, undefined)])
    expect([answer.status, answer.json]).toEqual([404, off])
  const english = await user.get(path, { 'accept-language': 'en' })
  expect(english.json.message).toBe('Check-in is not enabled')
})

test('the amounts are whole numbers, and the lower one is not above the higher', async () => {
  for (const key of ['CheckinMinQuota', 'CheckinMaxQuota'])
    for (const value of ['-1', '1.5', '', 'x', '1000000000001', '1e3'])
      expect([value, await save(key, value)]).toEqual([value, expect.stringContaining('整数')])
  expect(await save('CheckinMinQuota', '10001')).toBe('签到的最低额度不能大于最高额度')
  expect(await save('CheckinMaxQuota', '999')).toBe('签到的最低额度不能大于最高额度')
  expect(await save('CheckinMinQuota', '700')).toBe('')
  expect(await save('CheckinMaxQuota', '700')).toBe('')
})

test('once a day it brings what it says, in the wallet, the log and the books', async () => {
  expect(await save('CheckinEnabled', 'true')).toBe('')
  expect(await statusSays()).toBe(true)
  const before = (await user.get(path)).json.data
  expect(before).toEqual({
    enabled: true,
    min_quota: 700,
    max_quota: 700,
    stats: { checked_in_today: false, total_checkins: 0, total_quota: 0, checkin_count: 0, records: [] },
  })
  const answers = await Promise.all(Array.from({ length: 20 }, () => user.post(path, undefined)))
  const [given] = answers.flatMap(({ json }) => (json.success ? json.data : []))
  expect(given.quota_awarded).toBe(700)
  const refused = answers.filter(({ json }) => !json.success)
  expect(refused).toHaveLength(19)
  for (const { json } of refused) expect(json.message).toBe('今日已签到')

  // The old way to prove who one is serves here as it does for codes.
  const token = (await user.get('/api/user/token')).json.data
  const headers = { authorization: token, 'new-api-user': String(user.userId) }
  const tool = new Client(house.program.url)
  expect((await tool.post(path, undefined, headers)).json.message).toBe('今日已签到')
  const month = given.checkin_date.slice(0, 7)
  const { stats } = (await tool.get(`${path}?month=${month}`, headers)).json.data
  expect(stats).toEqual({
    checked_in_today: true,
    total_checkins: 1,
    total_quota: 700,
    checkin_count: 1,
    records: [given],
  })
  expect((await user.get(`${path}?month=2001-02`)).json.data.stats).toMatchObject({
    ...{ checked_in_today: true, total_checkins: 1, checkin_count: 0, records: [] },
  })

  expect(userRow(house.database, 'ann').quota).toBe(700)
  const logs = (await user.get('/api/log/self?type=4')).json.data.items
  expect(logs).toMatchObject([{ content: '签到赠送 ＄0.001400 额度', quota: 700 }])
  expect((await house.root.get('/api/ledger/audit')).json.data.differences).toEqual([])
})

test.each(['2026-13', '2026-00', '2026-1', '26-01', 'now', '2026-11-17', '%27', '２０２６-11'])(
  'there is no month %s',
  async month => {
    const { status, json } = await user.get(`${path}?month=${month}`)
    expect([status, json.success, json.message]).toEqual([200, false, '输入不合法 month: 格式不正确'])
  },
)
