import { expect } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { totpCode } from '../../server/services/sign-in/totp.ts'
import { Client, type Stage, type Visit } from './harness.ts'

export const password = 'staple-battery'

/** An ordinary account, made by root. */
export async function addPerson(stage: Stage, username: string): Promise<Client> {
  const root = await stage.root()
  const made = await root.post('/api/user/', { username, password, display_name: username })
  expect(made.json).toMatchObject({ success: true })
  const client = new Client(stage.url)
  expect((await client.login(username, password)).json.success).toBe(true)
  return client
}

export async function logIn(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel('用户名或邮箱').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(secret)
  await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click()
}

/** The login ends, and what the test does next is the first to hear it: all that the page reads by itself waits
 *  until it has come to ask for a login. */
export async function endLogin(page: Page): Promise<void> {
  const waiting: Route[] = []
  let isAsked = false
  // What is already on its way could lose its cookie too, and be told before it.
  await page.waitForLoadState('networkidle')
  await page.route('**/api/**', async route => {
    if (isAsked || route.request().method() !== 'GET') return route.continue()
    waiting.push(route)
  })
  page.on('framenavigated', frame => {
    if (new URL(frame.url()).pathname !== '/login') return
    isAsked = true
    for (const route of waiting.splice(0)) route.continue().catch(() => {})
  })
  await page.context().clearCookies()
}

/** Wherever a login leads, and until that screen stands: the address changes first. */
export async function arrive(page: Page): Promise<void> {
  await page.waitForURL(({ pathname }) => !/^\/(login|oauth)/.test(pathname))
  await page.getByRole('button', { name: /^账户：/ }).waitFor()
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('main input[autocomplete="one-time-code"], main input[name=password]') ===
        null &&
      document.querySelector('[role=status][data-loading]') === null,
  )
}

/** A page says a moment later what its address says already. */
export async function comesTo<T>(read: () => Promise<T>, wanted: T): Promise<void> {
  const began = performance.now()
  while (!Bun.deepEquals(await read(), wanted)) {
    // As long as any other wait of a visit.
    if (performance.now() - began > 60_000) return expect<unknown>(await read()).toEqual(wanted)
    await Bun.sleep(20)
  }
}

export async function done(visit: Visit): Promise<void> {
  expect(visit.faults).toEqual([])
  await visit.close()
}

/** The six digits for a secret as the page shows it, `ahead` steps of thirty seconds from now. */
export function codeFor(secret: string, ahead = 0): string {
  const bits = [...secret].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = Uint8Array.from(bits.join('').match(/.{8}/g) ?? [], byte => Number.parseInt(byte, 2))
  return totpCode(bytes, Math.floor(Date.now() / 30_000) + ahead)
}

/** An authenticator that agrees to everything. */
export async function addAuthenticator(page: Page): Promise<void> {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
