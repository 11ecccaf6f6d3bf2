// Two files, so that they can run at once; in more, filling the installation costs as much as looking at it.
import { examineScenes } from './examine-scenes.ts'

examineScenes(1, 2)
