/** The words for what drawing services say; what they add later is unknown here. */
const actions = [
  ['IMAGINE', 'action.IMAGINE'],
  ['UPSCALE', 'action.UPSCALE'],
  ['VARIATION', 'action.VARIATION'],
  ['HIGH_VARIATION', 'action.HIGH_VARIATION'],
  ['LOW_VARIATION', 'action.LOW_VARIATION'],
  ['PAN', 'action.PAN'],
  ['DESCRIBE', 'action.DESCRIBE'],
  ['BLEND', 'action.BLEND'],
  ['UPLOAD', 'action.UPLOAD'],
  ['SHORTEN', 'action.SHORTEN'],
  ['REROLL', 'action.REROLL'],
  ['INPAINT', 'action.INPAINT'],
  ['ZOOM', 'action.ZOOM'],
  ['CUSTOM_ZOOM', 'action.CUSTOM_ZOOM'],
  ['MODAL', 'action.MODAL'],
  ['SWAP_FACE', 'action.SWAP_FACE'],
] as const
const statuses = [
  ['SUCCESS', 'status.SUCCESS'],
  ['NOT_START', 'status.NOT_START'],
  ['SUBMITTED', 'status.SUBMITTED'],
  ['IN_PROGRESS', 'status.IN_PROGRESS'],
  ['FAILURE', 'status.FAILURE'],
  ['MODAL', 'status.MODAL'],
] as const

export const actionWords: ReadonlyMap<string, (typeof actions)[number][1]> = new Map(actions)
export const statusWords: ReadonlyMap<string, (typeof statuses)[number][1]> = new Map(statuses)
