import { catalogue } from '../../text.ts'

export const setupText = catalogue(
  'setup',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
)
