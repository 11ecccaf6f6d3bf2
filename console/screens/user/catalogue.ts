import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const userText = catalogue(
  'user',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
