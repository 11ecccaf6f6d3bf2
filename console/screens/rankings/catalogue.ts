import { catalogue } from '../../text.ts'

export const rankingsText = catalogue(
  'rankings',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
)
