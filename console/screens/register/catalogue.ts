import { signInText } from '../../sign-in/catalogue.ts'
import { catalogue } from '../../text.ts'

export const registerText = catalogue(
  'register',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  signInText,
)
