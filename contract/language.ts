/** The two languages of the product. Chinese is the fallback. */
export type Language = 'zh' | 'en'
export type Text = Readonly<Record<Language, string>>
export type Params = Readonly<Record<string, string | number>>

const gaps = /\{(\w+)(?:, plural, one \{([^{}]*)\} other \{([^{}]*)\})?\}/g

/**
 * Replaces `{name}` by its parameter, and `{name, plural, one {# day} other {# days}}`, as the console's texts have it,
 * by what goes with that number; an unknown name stays as written.
 */
export function fill(template: string, params: Params = {}): string {
  return template.replace(gaps, (whole, name: string, one?: string, other?: string) => {
    const given = params[name]
    if (given === undefined) return whole
    const words = Number(given) === 1 ? one : other
    return words === undefined ? String(given) : words.replaceAll('#', () => String(given))
  })
}

/** The best of our languages for an Accept-Language header; zh unless something else is asked for. */
export function preferredLanguage(acceptLanguage: string | null | undefined): Language {
  if (!acceptLanguage) return 'zh'
  let best: Language = 'zh'
  let bestQuality = 0
  for (const entry of acceptLanguage.slice(0, 200).split(',')) {
    const [tag = '', ...options] = entry.trim().toLowerCase().split(';')
    const language = tag.startsWith('en') ? 'en' : tag.startsWith('zh') ? 'zh' : undefined
    const quality = Number(
      options
        .find(option => option.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? 1,
    )
    if (language && quality > bestQuality) {
      best = language
      bestQuality = quality
    }
  }
  return best
}
