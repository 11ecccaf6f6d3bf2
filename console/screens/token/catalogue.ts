import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const tokenText = catalogue(
  'token',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
