import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const redemptionText = catalogue(
  'redemption',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
