import { examineScenes } from './examine-scenes.ts'
import { scenes } from './scenes.ts'

examineScenes('zh-CN', scenes.slice(0, Math.ceil(scenes.length / 2)))
