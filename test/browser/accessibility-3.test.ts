import { examineScenes } from './examine-scenes.ts'

examineScenes(3, 4)
