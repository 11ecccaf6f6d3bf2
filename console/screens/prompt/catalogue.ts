import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const promptText = catalogue(
  'prompt',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
