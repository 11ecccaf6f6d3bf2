import { catalogue } from '../../text.ts'

export const oauthText = catalogue(
  'oauth',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
)
