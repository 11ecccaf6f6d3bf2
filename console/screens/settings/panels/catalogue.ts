import { catalogue } from '../../../text.ts'
import { settingsText } from '../catalogue.ts'

export const panelsText = catalogue(
  'panels',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  settingsText,
)
