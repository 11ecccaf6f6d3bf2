import { shellText } from '../../locales/catalogue.ts'
import { catalogue } from '../../text.ts'

export const settingsText = catalogue(
  'settings',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
