import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const midjourneyText = catalogue(
  'midjourney',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
