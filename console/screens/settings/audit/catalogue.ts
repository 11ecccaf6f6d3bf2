import { listText } from '../../../lists/catalogue.ts'
import { catalogue } from '../../../text.ts'

export const auditText = catalogue(
  'audit',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
