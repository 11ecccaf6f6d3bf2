import * as z from 'zod/mini'
import type { SettingValues } from '../../../../contract/settings/index.ts'
import { askProvider } from './ask-provider.ts'
import { type OauthSource, parameters } from './provider.ts'

const grant = z.object({ access_token: z.string().check(z.minLength(1), z.maxLength(2000)) })
const profile = z.object({
  // A number of 64 bits, as text.
  id: z.string().check(z.regex(/^\d{1,20}$/)),
  username: z.string().check(z.maxLength(255)),
  global_name: z.nullish(z.string()),
})

export const discord: OauthSource = {
  name: 'Discord',
  binding: 'discord_id',
  prefix: 'discord',
  off: 'oauth.discord-off',
  taken: 'oauth.discord-taken',
  takesPkce: true,
  isOn: settings => settings.DiscordOAuthEnabled,
  authorizeUrl({ settings: { all: settings } }, { state, redirectUri, challenge }) {
    const query = parameters({
      response_type: 'code',
      client_id: settings.DiscordClientId,
      scope: 'identify',
      redirect_uri: redirectUri,
      state,
      code_challenge: challenge,
      code_challenge_method: challenge && 'S256',
    })
    return `${addressOf(settings)}/oauth2/authorize?${query}`
  },
  async identify(app, { code, redirectUri, verifier }) {
    const settings = app.settings.all
    const api = `${addressOf(settings)}/api`
    const body = parameters({
      grant_type: 'authorization_code',
      client_id: settings.DiscordClientId,
      client_secret: settings.DiscordClientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
    const { access_token } = await askProvider(
      app,
      'Discord',
      `${api}/oauth2/token`,
      {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: body.toString(),
      },
      grant,
    )
    const headers = { accept: 'application/json', authorization: `Bearer ${access_token}` }
    const user = await askProvider(app, 'Discord', `${api}/users/@me`, { headers }, profile)
    return { id: user.id, displayName: user.global_name || user.username }
  },
}

function addressOf(settings: SettingValues): string {
  return settings.DiscordAddress || 'https://discord.com'
}
