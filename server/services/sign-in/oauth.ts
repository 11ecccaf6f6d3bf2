import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { OauthProvider, ThirdPartyAnswer } from '../../../contract/sign-in.ts'
import { AppError } from '../../errors.ts'
import { findSessionCaller } from '../accounts/sessions.ts'
import type { App } from '../app.ts'
import type { Call, Caller } from '../call.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { openFlow, takeFlow } from './flows.ts'
import { discord } from './providers/discord.ts'
import { github } from './providers/github.ts'
import { linuxdo } from './providers/linuxdo.ts'
import { oidc } from './providers/oidc.ts'
import { challengeOf, type OauthSource } from './providers/provider.ts'
import { bindAccount, findBound, registerBound } from './third-party-user.ts'
import { requireRecentProof } from './verify.ts'

const sources: Record<OauthProvider, OauthSource> = { github, discord, linuxdo, oidc }
const GOOD_FOR_SECONDS = 600

/** What is remembered between leaving for the third party and coming back. */
const departure = z.object({
  browser: z.string(),
  aff: z.string(),
  provider: z.optional(z.string()),
  verifier: z.optional(z.string()),
})
type Departure = z.output<typeof departure>
type PublicCall<Q> = Call<Q, unknown, undefined>

/** A state for whoever builds the authorize address on their own. */
export function beginOauth(app: App, call: PublicCall<{ aff?: string | undefined }>): Promise<string> {
  return depart(app, call, { aff: call.query.aff ?? '' })
}

/** The whole authorize address, with the proof key where the third party takes one. */
export async function authorizeAddress(
  app: App,
  call: PublicCall<{ provider: OauthProvider; aff?: string | undefined }>,
): Promise<string> {
  const { provider, aff = '' } = call.query
  const source = sources[provider]
  if (!source.isOn(app.settings.all)) throw new AppError(source.off)
  const verifier = source.takesPkce ? randomToken() : undefined
  const state = await depart(app, call, { aff, provider, ...(verifier ? { verifier } : {}) })
  return source.authorizeUrl(app, {
    state,
    challenge: verifier && challengeOf(verifier),
    redirectUri: returnAddress(app, provider),
  })
}

/** Coming back with a code: binds for whoever left logged in, and logs in whoever did not. */
export async function finishOauth(
  app: App,
  call: PublicCall<{ code: string; state: string }>,
  provider: OauthProvider,
): Promise<ThirdPartyAnswer> {
  const source = sources[provider]
  const { caller, aff, verifier } = await comeBack(app, call, provider)
  if (!source.isOn(app.settings.all)) throw new AppError(source.off)
  const { code } = call.query
  if (code === '') throw new AppError('oauth.no-code')
  const identity = await source.identify(app, { code, verifier, redirectUri: returnAddress(app, provider) })
  if (caller) {
    await bindAccount(app, { caller, address: call.address }, source, identity)
    return { success: true, message: 'bind', data: null }
  }
  const user =
    (await findBound(app, call.address, source, identity)) ??
    (await registerBound(app, call.address, source, identity, aff))
  return { success: true, message: '', data: await completeSignIn(app, user, call) }
}

async function depart(
  app: App,
  call: PublicCall<unknown>,
  about: Omit<Departure, 'browser'>,
): Promise<string> {
  const caller = await findSessionCaller(app, call.session, call)
  // Here and not on the way back: what the third party gives there works once.
  if (caller) await requireRecentProof(app, { caller, session: call.session })
  const known = call.browser.token
  // Kept while it lasts, so that a second tab does not undo the first.
  const browser = known && /^[\w-]{43}$/.test(known) ? known : randomToken()
  call.browser.set(browser)
  const state = randomToken()
  const data = JSON.stringify({ ...about, browser: browserHash(app, browser) } satisfies Departure)
  await openFlow(
    app,
    { kind: 'third-party', key: state },
    { userId: caller?.id ?? 0, data, seconds: GOOD_FOR_SECONDS },
  )
  return state
}

/** The state must be ours, unused, of this browser, and of whoever is logged in now as then. */
async function comeBack(
  app: App,
  call: PublicCall<{ state: string }>,
  provider: OauthProvider,
): Promise<Departure & { caller: Caller | undefined }> {
  const flow = await takeFlow(app, { kind: 'third-party', key: call.query.state })
  if (!flow) throw new AppError('oauth.state')
  const about = departure.parse(JSON.parse(flow.data))
  const { browser } = call
  if (!browser.token || browserHash(app, browser.token) !== about.browser) throw new AppError('oauth.state')
  if (about.provider !== undefined && about.provider !== provider) throw new AppError('oauth.state')
  const caller = await findSessionCaller(app, call.session, call)
  if ((caller?.id ?? 0) !== flow.userId) throw new AppError('oauth.state')
  return { ...about, caller }
}

/** The console's page that takes the code; the one that is registered with the third party. */
function returnAddress({ settings }: App, provider: OauthProvider): string | undefined {
  const address = settings.get('ServerAddress')
  return address === '' ? undefined : `${address}/oauth/${provider}`
}

function browserHash({ store }: App, token: string): string {
  return store.cipher.hash('browser', token)
}

function randomToken(): string {
  return randomBytes(32).toString('base64url')
}
