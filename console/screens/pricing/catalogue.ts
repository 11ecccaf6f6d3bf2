import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const pricingText = catalogue(
  'pricing',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
