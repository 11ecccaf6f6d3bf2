import { shellText } from '../../../locales/catalogue.ts'
import { catalogue } from '../../../text.ts'

export const operationText = catalogue(
  'operation',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
