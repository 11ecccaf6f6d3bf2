import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const topUpText = catalogue(
  'topup',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
