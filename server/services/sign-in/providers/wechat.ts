import * as z from 'zod/mini'
import { AppError } from '../../../errors.ts'
import type { App } from '../../app.ts'
import { askProvider } from './ask-provider.ts'
import type { Identity, Source } from './provider.ts'

export const wechat: Source = {
  name: 'WeChat',
  binding: 'wechat_id',
  prefix: 'wechat',
  off: 'oauth.wechat-off',
  taken: 'oauth.wechat-taken',
  isOn: settings => settings.WeChatAuthEnabled && settings.WeChatServerAddress !== '',
}

const answer = z.object({
  success: z.boolean(),
  data: z.catch(z.string().check(z.maxLength(255)), ''),
})

/** Exchanges the code that the official account sent to its follower. */
export async function identifyWechat(app: App, code: string): Promise<Identity> {
  if (!wechat.isOn(app.settings.all)) throw new AppError(wechat.off)
  if (code === '') throw new AppError('oauth.no-code')
  const url = `${app.settings.get('WeChatServerAddress')}/api/wechat/user?code=${encodeURIComponent(code)}`
  const headers = { authorization: app.settings.get('WeChatServerToken') }
  const { success, data } = await askProvider(app, wechat.name, url, { headers }, answer)
  if (!success || data === '') throw new AppError('wechat.bad-code')
  return { id: data, displayName: 'WeChat User' }
}
