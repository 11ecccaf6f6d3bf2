import { examineScenes } from './examine-scenes.ts'

examineScenes(2, 2)
