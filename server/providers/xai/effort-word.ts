/** The most it knows is `high`, and since 4.6, or where several work together, `xhigh`. */
export function effortWord(effort: string, model: string): string {
  if (effort === 'minimal') return 'low'
  if (effort !== 'xhigh' && effort !== 'max') return effort
  const [, major = 0, minor = 0] = /^grok-(\d+)(?:\.(\d)(?!\d))?/.exec(model) ?? []
  return Number(major) * 10 + Number(minor) >= 46 || model.includes('multi-agent') ? 'xhigh' : 'high'
}
