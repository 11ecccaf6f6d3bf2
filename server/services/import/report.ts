/** Why nothing was taken over, told in one sentence. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
}

/** What comes, by what several of it are called. */
const single = {
  accounts: 'account',
  'authenticator apps': 'authenticator app',
  channels: 'channel',
  keys: 'key',
  'limits of accounts': 'limit of an account',
  'limits of members': 'limit of a member',
  'log rows': 'log row',
  'MCP servers': 'MCP server',
  'members of teams': 'member of a team',
  prompts: 'prompt',
  'redemption codes': 'redemption code',
  settings: 'setting',
  tokens: 'token',
  users: 'user',
} as const
type Thing = keyof typeof single

export function nameOf(what: Thing, count: number): string {
  return count === 1 ? single[what] : what
}

/** `{key is|keys are} left out`, said of one or of several. */
export function sayOf(template: string, count: number): string {
  return template.replace(/\{([^|}]*)\|([^}]*)\}/g, (_, one: string, several: string) =>
    count === 1 ? one : several,
  )
}

/** What came, and what did not come as it was. */
export class ImportReport {
  readonly came = new Map<Thing, number>()
  readonly notes: string[] = []
  /** What is said of many together, as `sayOf` takes it, and of how many. */
  readonly tallies = new Map<string, number>()
  readonly #onProgress: (what: Thing, soFar: number) => void

  constructor(onProgress: (what: Thing, soFar: number) => void) {
    this.#onProgress = onProgress
  }

  add(what: Thing, count: number): void {
    const soFar = (this.came.get(what) ?? 0) + count
    this.came.set(what, soFar)
    this.#onProgress(what, soFar)
  }

  /** Names from elsewhere are in it: nothing of them may move what the terminal shows. What joins letters moves nothing. */
  note(what: string): void {
    this.notes.push(what.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '�'))
  }

  tally(what: string, count = 1): void {
    if (count > 0) this.tallies.set(what, (this.tallies.get(what) ?? 0) + count)
  }
}
