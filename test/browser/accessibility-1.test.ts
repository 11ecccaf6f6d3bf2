// Four files, so that they can run at once and none takes long.
import { examineScenes } from './examine-scenes.ts'

examineScenes(1, 4)
