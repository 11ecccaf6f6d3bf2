import * as z from 'zod/mini'
import {
  type Announcement,
  type ApiAddress,
  announcementKinds,
  panelColours,
  type Question,
  type UptimePage,
} from '../panels.ts'
import { isWebAddress } from '../web-address.ts'
import { flag, json, SettingError } from './define.ts'

/** Each may stand in a header of every page. */
export const MOST_ADDRESSES = 30
export const MOST_ANNOUNCEMENTS = 100
export const MOST_QUESTIONS = 50
/** Each is asked again and again. */
export const MOST_UPTIME_PAGES = 20
/** Of announcements only the newest are told: every page asks for them with the rest of the status. */
export const TOLD_ANNOUNCEMENTS = 20
/** Characters of a whole list, which travels with every page. */
export const LONGEST_LIST = 20_000

export const LONGEST_ADDRESS = 300
export const LONGEST_ROUTE = 100
export const LONGEST_SLUG = 100
export const LONGEST_NOTE = 200
export const LONGEST_QUESTION = 200
export const LONGEST_CONTENT = 1000

const written = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest))
const note = z.string().check(z.maxLength(LONGEST_NOTE))

/** What may be saved of the entries of each list. */
export const panelEntries = {
  ApiInfo: z.object({
    url: written(LONGEST_ADDRESS).check(z.refine(isWebAddress)),
    route: written(LONGEST_ROUTE),
    description: note,
    color: z.enum(panelColours),
  }),
  Announcements: z.object({
    content: written(LONGEST_CONTENT),
    publishDate: z.string().check(z.maxLength(40), z.refine(isMoment)),
    type: z.enum(announcementKinds),
    extra: note,
  }),
  FAQ: z.object({ question: written(LONGEST_QUESTION), answer: written(LONGEST_CONTENT) }),
  UptimeKumaGroups: z.object({
    categoryName: written(LONGEST_ROUTE),
    url: written(LONGEST_ADDRESS).check(z.refine(isWebAddress)),
    slug: written(LONGEST_SLUG).check(z.refine(isSlug)),
    description: note,
  }),
}

/** What the dashboard of users tells besides their figures. Nothing is shown of a list that is empty. */
export const panelSettings = {
  ApiInfo: json<ApiAddress[]>('other.addresses', [], {
    public: true,
    schema: z.array(panelEntries.ApiInfo),
    refuse: list => tooMany(list, MOST_ADDRESSES) ?? tooLong(list),
    label: { zh: 'API 地址', en: 'API addresses' },
    help: {
      zh: '在数据看板上列出可用的接口地址，用户可以复制，并从自己的浏览器测速；任何人都能读到',
      en: 'Ways to this gateway, shown on the dashboard: users can copy them, and test them from their browser. Anyone can read them',
    },
  }),
  ApiInfoEnabled: flag('other.addresses', true, {
    public: true,
    label: { zh: '在数据看板上显示 API 地址', en: 'Show API addresses on the dashboard' },
  }),
  Announcements: json<Announcement[]>('other.announcements', [], {
    public: true,
    schema: z.array(panelEntries.Announcements),
    refuse: list => tooMany(list, MOST_ANNOUNCEMENTS),
    label: { zh: '看板公告', en: 'Dashboard announcements' },
    help: {
      zh: '在数据看板上按时间从新到旧显示最近 20 条；任何人都能读到。需要立即看到的内容请写在上面的「公告」里',
      en: 'The dashboard shows the latest 20, newest first; anyone can read them. What has to be seen at once belongs into the announcement above',
    },
  }),
  AnnouncementsEnabled: flag('other.announcements', true, {
    public: true,
    label: { zh: '在数据看板上显示公告', en: 'Show announcements on the dashboard' },
  }),
  FAQ: json<Question[]>('other.questions', [], {
    public: true,
    schema: z.array(panelEntries.FAQ),
    refuse: list => tooMany(list, MOST_QUESTIONS) ?? tooLong(list),
    label: { zh: '常见问题', en: 'Questions and answers' },
    help: {
      zh: '在数据看板上列出问题，点开即见回答；任何人都能读到',
      en: 'Shown on the dashboard, where a question opens to its answer. Anyone can read them',
    },
  }),
  FAQEnabled: flag('other.questions', true, {
    public: true,
    label: { zh: '在数据看板上显示常见问题', en: 'Show questions and answers on the dashboard' },
  }),
  UptimeKumaGroups: json<UptimePage[]>('other.uptime', [], {
    schema: z.array(panelEntries.UptimeKumaGroups),
    changeAddresses: (pages, change) =>
      pages.map(page => ({ ...page, url: change(page.url, page.categoryName) })),
    refuse: list => tooMany(list, MOST_UPTIME_PAGES),
    label: { zh: '状态页', en: 'Status pages' },
    help: {
      zh: '在数据看板上显示 Uptime Kuma 公开状态页的监控项；地址由服务器访问，不会告诉用户',
      en: 'The monitors of public Uptime Kuma status pages, shown on the dashboard. The gateway asks them; their addresses are not told to users',
    },
  }),
  UptimeKumaEnabled: flag('other.uptime', true, {
    public: true,
    label: { zh: '在数据看板上显示服务状态', en: 'Show service status on the dashboard' },
  }),
}

function tooMany(list: readonly unknown[], most: number): SettingError | undefined {
  if (list.length <= most) return undefined
  return refusal(`最多 ${most} 条`, `at most ${most} entries`)
}

function tooLong(list: readonly unknown[]): SettingError | undefined {
  if (JSON.stringify(list).length <= LONGEST_LIST) return undefined
  return refusal(`总长度最多 ${LONGEST_LIST} 个字符`, `at most ${LONGEST_LIST} characters altogether`)
}

function refusal(zh: string, en: string): SettingError {
  return new SettingError('option.value', { zh, en })
}

/** Uptime Kuma takes small letters, digits and dashes; older versions took more. */
export function isSlug(text: string): boolean {
  return /^[\w-]+$/.test(text)
}

/** A time whose zone is told: without one it would be another time to every reader. */
function isMoment(text: string): boolean {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  return isWhole && !Number.isNaN(Date.parse(text))
}

export function newestFirst(announcements: readonly Announcement[]): Announcement[] {
  return announcements.toSorted((one, other) => Date.parse(other.publishDate) - Date.parse(one.publishDate))
}
