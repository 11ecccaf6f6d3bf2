import { catalogue } from '../../text.ts'

export const notFoundText = catalogue(
  'not-found',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
)
