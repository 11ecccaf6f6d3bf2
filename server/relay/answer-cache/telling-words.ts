/** What makes two questions differ however alike they sound, as vectors hardly tell. */
const telling = new RegExp(
  [
    // A figure with its sign or currency, and what it is a figure of: 10 kg, $5, 3:30, 100元.
    String.raw`[\p{Sc}+−-]?\s?\p{Nd}+(?:[.,:/-]\p{Nd}+)*\s?(?:[a-zµ°%‰\p{Sc}]+|\p{Lo})?`,
    String.raw`[\p{Nl}\p{No}]+`,
    '[〇零一二两三四五六七八九十百千万亿半]+',
    String.raw`\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|half|twice|double|triple|second|third|fourth|fifth|last)\b`,
    String.raw`\b(?:no|not|never|none|nothing|nobody|nowhere|neither|nor|cannot|without|except|unless)\b`,
    String.raw`n['’]t\b`,
    '[不没沒無无未非别別勿莫]',
  ].join('|'),
  'giu',
)
const denial = /^(?:n['’]t|not|cannot)$/

/**
 * Figures, numbers in words and denials, in their order: texts in which these differ are never taken for the same. A
 * single `one` or 一 is none: it often only stands for `a`, and any other number differs from its lack.
 */
export function tellingWords(text: string): readonly string[] {
  return (text.toLowerCase().match(telling) ?? [])
    .map(word => word.replace(/\s/g, ''))
    .filter(word => word !== '一')
    .map(word => (denial.test(word) ? 'not' : word))
}
