import { examineScenes } from './examine-scenes.ts'

examineScenes('en-US')
