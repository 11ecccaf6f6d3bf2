import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const logText = catalogue(
  'log',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
