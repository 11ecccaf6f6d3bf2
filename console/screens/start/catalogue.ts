import { shellText } from '../../locales/catalogue.ts'
import { catalogue } from '../../text.ts'

export const startText = catalogue(
  'start',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
