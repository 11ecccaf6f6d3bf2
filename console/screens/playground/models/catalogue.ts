import { shellText } from '../../../locales/catalogue.ts'
import { catalogue } from '../../../text.ts'

export const playgroundText = catalogue(
  'playground',
  () => import('../locales/zh.ts'),
  () => import('../locales/en.ts'),
  shellText,
)
