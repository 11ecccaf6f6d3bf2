import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openStage, ROOT_PASSWORD, type Stage } from './harness.ts'
import { addAuthenticator } from './people.ts'

let stage: Stage
let home: string
beforeAll(async () => {
  stage = await openStage()
  home = `http://localhost:${new URL(stage.url).port}`
  await (await stage.root()).saveOption('ServerAddress', home)
})
afterAll(() => stage.close())

test('a browser’s own passkey is added, logs in and verifies', async () => {
  const visit = await stage.visit()
  const { page } = visit
  await addAuthenticator(page)
  await page.goto(`${home}/login`)
  const answers = await page.evaluate(async password => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    const send = async (path: string, body: unknown) => {
      const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
      return response.json()
    }
    const sign = async (begun: {
      data: { options: { publicKey: PublicKeyCredentialRequestOptionsJSON } }
    }) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(begun.data.options.publicKey)
      const credential = await navigator.credentials.get({ publicKey })
      if (!(credential instanceof PublicKeyCredential)) throw new Error('no passkey was used')
      return credential.toJSON()
    }
    const user = await send('/api/user/login', { username: 'root', password })
    headers['new-api-user'] = String(user.data.id)
    await send('/api/verify', { method: 'password', password })
    const begun = await send('/api/user/passkey/register/begin', {})
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(begun.data.options.publicKey)
    const made = await navigator.credentials.create({ publicKey })
    if (!(made instanceof PublicKeyCredential)) throw new Error('no passkey was made')
    const added = await send('/api/user/passkey/register/finish', made.toJSON())

    await fetch('/api/user/logout')
    delete headers['new-api-user']
    const login = await send(
      '/api/user/passkey/login/finish',
      await sign(await send('/api/user/passkey/login/begin', {})),
    )
    headers['new-api-user'] = String(login.data?.id)
    const assertion = await sign(await send('/api/user/passkey/verify/begin', {}))
    const verified = await send('/api/verify', { method: 'passkey', assertion })
    return { added, login: login.data?.username, verified: verified.data?.verified }
  }, ROOT_PASSWORD)
  expect(answers).toEqual({
    added: { success: true, message: '', data: null },
    login: 'root',
    verified: true,
  })
  expect(visit.faults).toEqual([])
  await visit.close()
})
