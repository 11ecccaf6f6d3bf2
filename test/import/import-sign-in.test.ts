// How people prove who they are, after they have moved in.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { base32, totpCode } from '../../server/services/sign-in/totp.ts'
import { Client } from '../client.ts'
import { freshDataDir, withProgram } from '../program.ts'
import { makeOlder, newApi } from './older-database.ts'
import { peopleOf, run } from './older-house.ts'

test('whoever had an authenticator app needs it here too', async () => {
  const older = join(freshDataDir(), 'new-api.db')
  const secret = Buffer.from('twenty bytes of them')
  const gone = '2024-05-06 07:08:09'
  await makeOlder('sqlite', older, newApi, {
    users: await peopleOf(),
    two_fas: [
      { id: 1, user_id: 1, secret: base32(secret).toLowerCase(), is_enabled: 1 },
      { id: 2, user_id: 7, secret: 'not base32!', is_enabled: 1 },
      { id: 3, user_id: 9, secret: base32(secret), is_enabled: 0 },
      { id: 4, user_id: 9, secret: base32(secret), is_enabled: 1, deleted_at: gone },
      { id: 5, user_id: 12_345, secret: base32(secret), is_enabled: 1 },
    ],
    passkey_credentials: [{ id: 1, user_id: 7, credential_id: 'x' }],
  })
  const environment = { DATA_DIR: freshDataDir() }
  const { out } = await run(environment, 'import', older)
  expect(out).toContain('1 authenticator app\n')
  expect(out).toContain('user 7: without the authenticator app, whose secret cannot be read')
  expect(out).toContain('! 1 passkey left out')
  expect(out).not.toContain(base32(secret))
  await withProgram(environment, async ({ url }) => {
    const root = new Client(url)
    const { data } = (await root.login('root', 'old-root-pass')).json
    expect(data.require_2fa).toBe(true)
    expect((await root.get('/api/user/self')).status).toBe(401)
    const code = totpCode(secret, Math.floor(Date.now() / 30_000))
    const second = await root.post('/api/user/login/2fa', { flow_token: data.flow_token, code })
    expect(second.json).toMatchObject({ success: true, data: { username: 'root' } })
    expect((await new Client(url).login('wang', 'wang-pass')).json.data.username).toBe('wang')
  })
})

test('who came by single sign-on or Discord comes by it here, where it is known whose ids they are', async () => {
  const people = (await peopleOf()).map(one =>
    one.username === 'wang' ? { ...one, oidc_id: 'sub-7', discord_id: '80351110224678912' } : one,
  )
  const settings = [
    { key: 'oidc.client_id', value: 'gate' },
    { key: 'discord.client_id', value: 'gate-at-discord' },
    { key: 'checkin_setting.enabled', value: 'true' },
    { key: 'checkin_setting.max_quota', value: '2000' },
    { key: 'legal.user_agreement', value: '# Terms' },
    { key: 'oidc.client_secret', value: 'sso-secret' },
    { key: 'oidc.well_known', value: 'https://sso.example/realms/a/.well-known/openid-configuration' },
  ]
  for (const known of [true, false]) {
    const older = join(freshDataDir(), 'new-api.db')
    await makeOlder('sqlite', older, newApi, { users: people, options: known ? settings : [] })
    const environment = { DATA_DIR: freshDataDir() }
    const { out } = await run(environment, 'import', older)
    expect(out.includes('user wang: without oidc_id sub-7, which is of nobody known')).toBe(!known)
    await withProgram(environment, async ({ url }) => {
      const root = new Client(url)
      await root.login('root', 'old-root-pass')
      const { data } = (await root.get('/api/user/search?keyword=wang')).json
      for (const part of ['%E7%8E%8B', 'ANG@exa'])
        expect((await root.get(`/api/user/search?keyword=${part}`)).json.data).toMatchObject([
          { username: 'wang' },
        ])
      expect(data[0].oidc_id).toBe(known ? 'https://sso.example/realms/a#sub-7' : '')
      expect(data[0].discord_id).toBe('80351110224678912')
      const options = (await root.get('/api/option/')).json
      const option = (key: string) => options.data.find((one: { key: string }) => one.key === key).value
      expect(option('OIDCIssuer')).toBe(known ? 'https://sso.example/realms/a' : '')
      if (known)
        expect(['DiscordClientId', 'CheckinEnabled', 'CheckinMaxQuota', 'UserAgreement'].map(option)).toEqual(
          [...['gate-at-discord', 'true', '2000', '# Terms']],
        )
      expect(options.secrets_set.includes('OIDCClientSecret')).toBe(known)
    })
  }
})
