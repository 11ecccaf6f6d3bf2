import { shellText } from '../../locales/catalogue.ts'
import { catalogue } from '../../text.ts'

export const detailText = catalogue(
  'detail',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  shellText,
)
