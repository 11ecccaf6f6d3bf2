import * as z from 'zod/mini'
import type { SettingValues } from '../../../../contract/settings/index.ts'
import { askProvider } from './ask-provider.ts'
import { type OauthSource, parameters } from './provider.ts'

const PUBLIC = 'https://github.com'
const grant = z.object({ access_token: z.string().check(z.minLength(1), z.maxLength(2000)) })
const profile = z.object({
  id: z.int().check(z.positive()),
  login: z.string().check(z.maxLength(255)),
  name: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
})
type Profile = z.output<typeof profile>

export const github: OauthSource = {
  name: 'GitHub',
  binding: 'github_id',
  prefix: 'github',
  off: 'oauth.github-off',
  taken: 'oauth.github-taken',
  takesPkce: true,
  isOn: settings => settings.GitHubOAuthEnabled,
  authorizeUrl({ settings: { all: settings } }, { state, redirectUri, challenge }) {
    const query = parameters({
      client_id: settings.GitHubClientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: challenge && 'S256',
    })
    return `${addressOf(settings)}/login/oauth/authorize?${query}`
  },
  async identify(app, { code, redirectUri, verifier }) {
    const settings = app.settings.all
    const body = parameters({
      client_id: settings.GitHubClientId,
      client_secret: settings.GitHubClientSecret,
      code,
      // Both or neither were in the address that was opened.
      redirect_uri: verifier && redirectUri,
      code_verifier: verifier,
    })
    const { access_token } = await askProvider(
      app,
      'GitHub',
      `${addressOf(settings)}/login/oauth/access_token`,
      {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: body.toString(),
      },
      grant,
    )
    const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${access_token}` }
    const user = await askProvider(app, 'GitHub', `${apiOf(settings)}/user`, { headers }, profile)
    // The number, not the name: a name that its owner gives up can be taken by somebody else.
    return { id: String(user.id), displayName: user.name || user.login, former: formerId(user) }
  },
}

/** The older tools go by the name, and so do accounts that came from there. One of digits alone would pass for a number. */
function formerId({ login, created_at }: Profile) {
  const since = Math.floor(Date.parse(created_at ?? '') / 1000)
  return /^\d*$/.test(login) || Number.isNaN(since) ? undefined : { id: login, since }
}

function addressOf(settings: SettingValues): string {
  return settings.GitHubAddress || PUBLIC
}

/** A server of one's own has its API under a path. */
function apiOf(settings: SettingValues): string {
  const address = addressOf(settings)
  return address === PUBLIC ? 'https://api.github.com' : `${address}/api/v3`
}
