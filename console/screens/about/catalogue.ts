import { shellText } from '../../locales/catalogue.ts'
import { catalogue } from '../../text.ts'

export const aboutText = catalogue(
  'about',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
