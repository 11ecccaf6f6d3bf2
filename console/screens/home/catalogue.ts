import { shellText } from '../../locales/catalogue.ts'
import { catalogue } from '../../text.ts'

export const homeText = catalogue(
  'home',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
