import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const teamText = catalogue(
  'team',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
