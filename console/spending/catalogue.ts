import { shellText } from '../locales/catalogue.ts'
import { catalogue } from '../text.ts'

/** Of what may be spent within a while, by whomever. */
export const spendingText = catalogue(
  'spending',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
