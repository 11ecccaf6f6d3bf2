import type { AnnouncementKind, panelColours } from '../../../../contract/panels.ts'

// What each is called in the catalogue.

export const kindWords = {
  default: 'default',
  ongoing: 'ongoing',
  success: 'success',
  warning: 'warning',
  error: 'error',
} as const satisfies Record<AnnouncementKind, string>

export const colourWords = {
  blue: 'blue',
  green: 'green',
  lime: 'lime',
  yellow: 'yellow',
  orange: 'orange',
  red: 'red',
  grey: 'grey',
} as const satisfies Record<(typeof panelColours)[number], string>
