import { shellText } from '../locales/catalogue.ts'
import { catalogue } from '../text.ts'

/** The words that many lists have in common, and those of their options. */
export const listText = catalogue(
  'lists',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
