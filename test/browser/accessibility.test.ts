import { examineScenes } from './examine-scenes.ts'

examineScenes('zh-CN')
