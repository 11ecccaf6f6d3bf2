import { examineScenes } from './examine-scenes.ts'

examineScenes(4, 4)
