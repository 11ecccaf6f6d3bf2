/** As the runtime resolves them; whoever writes one of these means it. */
const utc = /^:?(Etc\/)?(UTC|UCT|GMT|Universal|Zulu|Greenwich)([+-]?0+)?$/i

/** The runtime takes UTC for a zone that it does not know, and budgets of a day would be renewed at another hour. */
export function explainTimeZone(named: string | undefined): string[] {
  const zone = named?.trim() ?? ''
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  if (zone === '' || utc.test(zone) || timeZone !== 'UTC') return []
  return [
    `TZ ${zone} is no time zone that is known here, and days end at midnight of UTC: name one such as Asia/Shanghai`,
  ]
}
