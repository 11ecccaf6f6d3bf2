import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { authorizeAddress, beginOauth, finishOauth } from './oauth.ts'
import { identifyTelegram, telegram } from './providers/telegram.ts'
import { identifyWechat, wechat } from './providers/wechat.ts'
import { bindAccount, findBound, registerBound } from './third-party-user.ts'
import { requireRecentProof } from './verify.ts'

type Names =
  | 'oauthState'
  | 'oauthAuthorize'
  | 'githubSignIn'
  | 'discordSignIn'
  | 'linuxdoSignIn'
  | 'oidcSignIn'
  | 'wechatSignIn'
  | 'wechatBind'
  | 'telegramSignIn'
  | 'telegramBind'

export function thirdPartyHandlers(app: App): Handlers<Names> {
  return {
    oauthState: call => beginOauth(app, call),
    oauthAuthorize: call => authorizeAddress(app, call),
    githubSignIn: call => finishOauth(app, call, 'github'),
    discordSignIn: call => finishOauth(app, call, 'discord'),
    linuxdoSignIn: call => finishOauth(app, call, 'linuxdo'),
    oidcSignIn: call => finishOauth(app, call, 'oidc'),
    async wechatSignIn(call) {
      const identity = await identifyWechat(app, call.query.code)
      const user =
        (await findBound(app, call.address, wechat, identity)) ??
        (await registerBound(app, call.address, wechat, identity, ''))
      return completeSignIn(app, user, call)
    },
    async wechatBind(call) {
      await requireRecentProof(app, call)
      await bindAccount(app, call, wechat, await identifyWechat(app, call.query.code))
    },
    async telegramSignIn(call) {
      const user = await findBound(app, call.address, telegram, await identifyTelegram(app, call.query))
      if (!user) throw new AppError('telegram.unbound')
      return completeSignIn(app, user, call)
    },
    async telegramBind(call) {
      await requireRecentProof(app, call)
      await bindAccount(app, call, telegram, await identifyTelegram(app, call.query))
    },
  }
}
