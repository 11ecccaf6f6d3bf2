/** A value as it stands in JSON, which can say more than JSON.stringify writes. */
export interface Hostile {
  readonly what: string
  readonly json: string
}

const text = (what: string, value: string): Hostile => ({ what, json: JSON.stringify(value) })
const bare = (json: string): Hostile => ({ what: json.slice(0, 30), json })

/** Texts that mean something to a database, a page, a path, a number reader or a runtime. */
const hostileTexts: readonly Hostile[] = [
  text('blank text', ''),
  text('spaces', '   '),
  text('a tab and a line end', 'a\tb\r\nc: d'),
  text('a megabyte', 'x'.repeat(1024 * 1024)),
  text('3,000 letters', 'x'.repeat(3000)),
  text('300 wide letters', '宽'.repeat(300)),
  text('300 emoji', '😀'.repeat(300)),
  { what: 'NUL', json: '"a\\u0000b"' },
  { what: 'half a surrogate pair', json: '"\\ud83d"' },
  { what: 'the other half', json: '"x\\ude00y"' },
  text('only wildcards', '%_%\\_'.repeat(100)),
  text('a quote', "' OR '1'='1' --"),
  text('a statement', '"; DROP TABLE users; --'),
  text('HTML', '<img src=x onerror=alert(1)>'),
  text('a script address', 'javascript:alert(1)'),
  text('a path', '../../etc/passwd'),
  text('a formula', '=1+1'),
  text('a format', '%s%n{0}'),
  text('text NaN', 'NaN'),
  text('text Infinity', 'Infinity'),
  text('text −1', '-1'),
  text('text 1e308', '1e308'),
  text('text 1e400', '1e400'),
  text('text 2⁶³', '9223372036854775808'),
  text('400 nines', '9'.repeat(400)),
  text('hexadecimal', '0x10'),
  text('wide digits', '１２３'),
  text('text null', 'null'),
  text('__proto__', '__proto__'),
  text('constructor', 'constructor'),
  text('toString', 'toString'),
  text('a right-to-left mark', '\u202eabc'),
  text('a broken JSON', '{"a":'),
  text('JSON with a prototype', '{"__proto__":{"role":100}}'),
  text('deep JSON', '['.repeat(3000)),
  text('an inner address', 'http://169.254.169.254/latest'),
  text('a closed address', 'http://127.0.0.1:9/x'),
]

const hostileNumbers: readonly Hostile[] = [
  ...['-1', '0', '-0', '0.5', '1e308', '-1e308', '1e400', '-1e400', '1e-400'],
  ...['2147483648', '-2147483649', '4294967296', '9007199254740992', '-9007199254740993'],
  ...['9223372036854775808', '18446744073686646784', '9'.repeat(400), '999999999999999'],
].map(bare)

const otherKinds: readonly Hostile[] = [
  ...['null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '[1,"a",{}]', '{"a":{"b":[1]}}'].map(bare),
  bare('{"__proto__":{"role":100}}'),
  bare('{"constructor":{"prototype":{"role":100}}}'),
  bare('{"length":1e9,"toString":1,"valueOf":null,"toJSON":1,"then":1}'),
  { what: 'an array of 10,000', json: `[${Array.from({ length: 10_000 }, (_, at) => at).join()}]` },
  { what: 'an array of 10,000 texts', json: `[${Array(10_000).fill('"x"').join()}]` },
  { what: '100,000 deep', json: nested(100_000) },
  { what: '1,000 deep', json: nested(1000) },
  { what: '1,000 objects deep', json: `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}` },
]

export const hostileValues: readonly Hostile[] = [...hostileTexts, ...hostileNumbers, ...otherKinds]

/** The same where only text can be: escaped, ready for a query. */
export const hostileQueryValues: readonly string[] = [
  ...hostileValues.flatMap(({ json }) => {
    const value: unknown = json.length > 20_000 ? undefined : JSON.parse(json)
    return typeof value === 'string' ? new URLSearchParams({ v: value }).toString().slice(2) : []
  }),
  ...[
    '%',
    '%zz',
    '%c3%28',
    '%ed%a0%80',
    '%00',
    'a%00b',
    '+',
    '%25%32%35',
    '%25'.repeat(1000),
    '_'.repeat(500),
  ],
  ...[
    '-1',
    '0',
    '0.5',
    '1e3',
    '1e9',
    '1e15',
    '999999999999999',
    '-0',
    'true',
    '[]',
    '%5B1%5D',
    '&',
    '=',
    '2',
    '1,2',
  ],
  'x'.repeat(8000),
]

/** What can stand in a path where an id belongs, and is none. */
export const hostileIds: readonly string[] = [
  ...[
    '-1',
    '1.5',
    '1e3',
    'abc',
    'null',
    'undefined',
    'NaN',
    '0x1',
    '+1',
    '%31%00',
    '%00',
    '%',
    '%zz',
    '%c3%28',
  ],
  ...[
    "1'--",
    '%27%20OR%201=1',
    '1;2',
    '1,2',
    '%252e',
    '..%2f1',
    '%EF%BC%91',
    '__proto__',
    'constructor',
    '%20',
  ],
  ...['9007199254740993', '9223372036854775808', '18446744073709551617', '9'.repeat(400), 'x'.repeat(4000)],
  ...['%25', '*', '$1', '%ed%a0%80', '1%2f2'],
]

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}
