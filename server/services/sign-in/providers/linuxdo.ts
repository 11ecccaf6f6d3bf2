import * as z from 'zod/mini'
import type { SettingValues } from '../../../../contract/settings/index.ts'
import { askProvider } from './ask-provider.ts'
import { type OauthSource, parameters } from './provider.ts'

const grant = z.object({ access_token: z.string().check(z.minLength(1), z.maxLength(2000)) })
const profile = z.object({
  id: z.int().check(z.positive()),
  username: z.string().check(z.maxLength(255)),
  name: z.nullish(z.string()),
})

export const linuxdo: OauthSource = {
  name: 'LinuxDO',
  binding: 'linux_do_id',
  prefix: 'linuxdo',
  off: 'oauth.linuxdo-off',
  taken: 'oauth.linuxdo-taken',
  takesPkce: false,
  isOn: settings => settings.LinuxDOOAuthEnabled,
  authorizeUrl({ settings: { all: settings } }, { state, redirectUri }) {
    const query = parameters({
      response_type: 'code',
      client_id: settings.LinuxDOClientId,
      redirect_uri: redirectUri,
      state,
    })
    return `${addressOf(settings)}/oauth2/authorize?${query}`
  },
  async identify(app, { code, redirectUri }) {
    const settings = app.settings.all
    const address = addressOf(settings)
    const pair = Buffer.from(`${settings.LinuxDOClientId}:${settings.LinuxDOClientSecret}`)
    const { access_token } = await askProvider(
      app,
      'LinuxDO',
      `${address}/oauth2/token`,
      {
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Basic ${pair.toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: parameters({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }).toString(),
      },
      grant,
    )
    const headers = { accept: 'application/json', authorization: `Bearer ${access_token}` }
    const user = await askProvider(app, 'LinuxDO', `${address}/api/user`, { headers }, profile)
    return { id: String(user.id), displayName: user.name || user.username }
  },
}

function addressOf(settings: SettingValues): string {
  return settings.LinuxDOAddress || 'https://connect.linux.do'
}
