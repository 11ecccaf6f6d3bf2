import { afterAll, beforeAll, expect, test } from 'bun:test'
import { loggedIn } from '../../client.ts'
import { Mailbox } from '../../mailbox.ts'
import { type OpenProgram, openProgram } from '../../open-program.ts'
import { freePort } from '../../services/free-port.ts'

let house: OpenProgram
let mailbox: Mailbox

beforeAll(async () => {
  house = await openProgram()
  mailbox = await Mailbox.open()
})
afterAll(async () => {
  await mailbox.close()
  await house.close()
})

const send = (to: unknown) => house.root.post('/api/option/test_mail', { to }, { 'accept-language': 'en' })

test('a test mail goes out by the settings as they are saved', async () => {
  expect((await send('ops@example.com')).json.message).toBe('The SMTP server is not configured')
  await mailbox.connect(house.root)
  expect((await send('ops@example.com')).json).toEqual({ success: true, message: '', data: null })
  const letter = await mailbox.last('ops@example.com')
  expect(letter).toMatchObject({ from: 'gate@example.com', subject: expect.stringContaining('test mail') })
  expect((await send('nobody')).json.message).toBe('The email address is not valid')
  expect((await send(7)).json.success).toBe(false)
})

test('what fails tells why: the password, or that nothing answers', async () => {
  await house.root.saveOption('SMTPAccount', 'gate')
  await house.root.saveOption('SMTPToken', 'wrong-secret')
  const refused = (await send('why@example.com')).json
  expect(refused.success).toBe(false)
  expect(refused.message).toStartWith('The SMTP server refuses the account or its password: ')
  expect(refused.message).not.toContain('wrong-secret')
  await house.root.saveOption('SMTPPort', String(await freePort()))
  const { message } = (await send('why@example.com')).json
  expect(message).toBe('No connection to the SMTP server; check its address, port and SSL: ECONNREFUSED')
  await mailbox.connect(house.root)
})

test('only the super administrator may', async () => {
  await house.root.post('/api/user/', { username: 'helper', password: 'good-password' })
  const { json } = await house.root.get('/api/user/search?keyword=helper')
  await house.root.post('/api/user/manage', { id: json.data[0].id, action: 'promote' })
  const helper = await loggedIn(house.program.url, 'helper', 'good-password')
  expect((await helper.post('/api/option/test_mail', { to: 'a@example.com' })).json.success).toBe(false)
})
