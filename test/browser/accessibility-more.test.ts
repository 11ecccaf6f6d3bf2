// The second half of the scenes: a file of its own, so that two can run at once.
import { examineScenes } from './examine-scenes.ts'
import { scenes } from './scenes.ts'

examineScenes('zh-CN', scenes.slice(Math.ceil(scenes.length / 2)))
