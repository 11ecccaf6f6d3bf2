import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const taskText = catalogue(
  'task',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
