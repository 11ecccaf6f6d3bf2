import { signInText } from '../../sign-in/catalogue.ts'
import { catalogue } from '../../text.ts'

export const resetText = catalogue(
  'reset',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  signInText,
)
