/** How a client says what a call is for, so that spending can be told apart by it. */
export const labelsHeader = {
  name: 'x-tollgate-labels',
  description: {
    zh: '用途标签，以逗号分隔，如 project:search,env:prod；记入日志并按其统计花费',
    en: 'What the call is for, by commas, as in project:search,env:prod: in the log, and spending is told by it',
  },
} as const

/** The most labels that a call has, those of its token among them. */
export const MOST_LABELS = 8
export const LONGEST_LABEL = 64

/** What an account's calls of a day are counted by that are labelled in more ways than are counted. */
export const OTHER_LABEL = 'other'

/** What can be seen; spaces only within, and no comma, which parts one label from the next. */
const shape = /^[^\p{C}\p{Z},](?:[^\p{C}\p{Z},]| (?! |$))*$/u

export function isLabel(text: string): boolean {
  return text.length <= LONGEST_LABEL && shape.test(text)
}

/**
 * A label of what was not written as one: what cannot be seen and commas become `_`, runs of spaces one, and what is too
 * long is cut. Undefined where nothing is left.
 */
export function fitLabel(text: string): string | undefined {
  const label = text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\p{C},]|(?! )\p{Z}/gu, '_')
    .slice(0, LONGEST_LABEL)
    .trim()
    // Cut in the middle of a character.
    .replace(/[\ud800-\udbff]$/, '')
  return isLabel(label) ? label : undefined
}

/** In one order, each once: what is labelled the same is the same text. */
export function joinLabels(labels: Iterable<string>): string {
  return [...new Set(labels)].sort().join(',')
}

export function splitLabels(joined: string | null | undefined): string[] {
  return joined ? joined.split(',') : []
}
