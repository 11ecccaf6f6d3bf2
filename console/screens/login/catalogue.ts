import { catalogue } from '../../text.ts'

export const loginText = catalogue(
  'login',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
)
