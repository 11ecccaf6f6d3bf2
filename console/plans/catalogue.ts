import { listText } from '../lists/catalogue.ts'
import { catalogue } from '../text.ts'

/** The words of plans: who sells, who buys and who gives them says the same. */
export const planText = catalogue(
  'plans',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
