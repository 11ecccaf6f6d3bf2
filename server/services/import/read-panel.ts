import { announcementKinds, panelColours } from '../../../contract/panels.ts'
import type { SettingKey } from '../../../contract/settings/index.ts'
import {
  LONGEST_LIST,
  MOST_ADDRESSES,
  MOST_ANNOUNCEMENTS,
  MOST_QUESTIONS,
  MOST_UPTIME_PAGES,
  panelEntries,
} from '../../../contract/settings/panels.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import { textOf } from './read-row.ts'
import type { ImportReport } from './report.ts'

/** Hues that are not told apart here. */
const likeColours: Readonly<Record<string, string>> = {
  amber: 'yellow',
  cyan: 'blue',
  indigo: 'blue',
  'light-blue': 'blue',
  'light-green': 'lime',
  pink: 'red',
  purple: 'blue',
  teal: 'green',
  violet: 'blue',
}

interface Panel {
  readonly most: number
  /** An entry in the words of here; what it lacks is blank. */
  translate(entry: ForeignRow): object
}

const panels = {
  ApiInfo: {
    most: MOST_ADDRESSES,
    translate: entry => {
      const color = textOf(entry, 'color')
      return {
        url: textOf(entry, 'url'),
        route: textOf(entry, 'route'),
        description: textOf(entry, 'description'),
        color: oneOf(panelColours, likeColours[color] ?? color) ?? 'grey',
      }
    },
  },
  Announcements: {
    most: MOST_ANNOUNCEMENTS,
    translate: entry => {
      const time = Date.parse(textOf(entry, 'publishDate'))
      return {
        content: textOf(entry, 'content'),
        publishDate: Number.isNaN(time) ? '' : new Date(time).toISOString(),
        type: oneOf(announcementKinds, textOf(entry, 'type')) ?? 'default',
        extra: textOf(entry, 'extra'),
      }
    },
  },
  FAQ: {
    most: MOST_QUESTIONS,
    // The second names are those of older versions.
    translate: entry => ({
      question: textOf(entry, 'question', 'title'),
      answer: textOf(entry, 'answer', 'content'),
    }),
  },
  UptimeKumaGroups: {
    most: MOST_UPTIME_PAGES,
    translate: entry => ({
      categoryName: textOf(entry, 'categoryName'),
      url: textOf(entry, 'url'),
      slug: textOf(entry, 'slug'),
      description: textOf(entry, 'description'),
    }),
  },
} satisfies Record<keyof typeof panelEntries, Panel>

type PanelKey = keyof typeof panels

export function isPanel(key: SettingKey): key is PanelKey {
  return Object.hasOwn(panels, key)
}

/** The same list without the entries that could not be saved here; what is no list stays as it is. */
export function readPanel(key: PanelKey, text: string, report: ImportReport): string {
  const entries = text.trim() === '' ? [] : parse(text)
  if (!Array.isArray(entries)) return text
  const { most, translate }: Panel = panels[key]
  const kept: object[] = []
  let length = 0
  for (const [at, entry] of entries.entries()) {
    const leave = (why: string) => report.note(`setting ${key}: entry ${at + 1} left out: ${why}`)
    const found = panelEntries[key].safeParse(translate(isRow(entry) ? entry : {}))
    if (!found.success) {
      leave(`its ${found.error.issues[0]?.path.join('.')} is not one for here`)
      continue
    }
    const after = length + JSON.stringify(found.data).length + 1
    if (kept.length < most && (key === 'Announcements' || after < LONGEST_LIST)) {
      length = after
      kept.push(found.data)
    } else leave('there is no room for so many')
  }
  return JSON.stringify(kept)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRow(entry: unknown): entry is ForeignRow {
  return typeof entry === 'object' && entry !== null
}

function oneOf<T extends string>(known: readonly T[], given: string): T | undefined {
  return known.find(one => one === given)
}
