import { catalogue } from '../../../text.ts'
import { settingsText } from '../catalogue.ts'

export const operationText = catalogue(
  'operation',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  settingsText,
)
