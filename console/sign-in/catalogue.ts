import { shellText } from '../locales/catalogue.ts'
import { catalogue } from '../text.ts'

/** The words of what several account screens share. */
export const signInText = catalogue(
  'sign-in',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
