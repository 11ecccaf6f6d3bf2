/**
 * In which order the files start. A browser keeps a core busy where other whole programs and databases mostly wait, so
 * the two kinds come by turns, each spread over all of the time; what needs neither is short and fills the end.
 */
export function arrangeTestFiles(files: readonly string[]): string[] {
  const kinds = Map.groupBy(files, file => {
    if (file.startsWith('test/browser/')) return 'browser'
    return /^(test|server\/(ledger|store))\//.test(file) ? 'program' : 'unit'
  })
  const spread = (kind: readonly string[] = []) =>
    kind.map((file, at) => ({ file, when: (at + 0.5) / kind.length }))
  const mixed = [...spread(kinds.get('browser')), ...spread(kinds.get('program'))]
  return [...mixed.sort((a, b) => a.when - b.when).map(({ file }) => file), ...(kinds.get('unit') ?? [])]
}

/** Most of their time nothing runs: they wait for a death to be noticed, a limit to pass, a database to be back. */
export const waitingFiles = new Set([
  'server/store/counters/counters.test.ts',
  'server/store/patience.test.ts',
  'test/api/channels/channel-rests.test.ts',
  'test/connections.test.ts',
  'test/faults/clock.test.ts',
  'test/faults/database-stop.test.ts',
  'test/faults/disk-full.test.ts',
  'test/faults/frozen-transaction.test.ts',
  'test/faults/lost-commit.test.ts',
  'test/faults/pooler.test.ts',
  'test/faults/refused-sessions.test.ts',
  'test/faults/shutdown.test.ts',
  'test/faults/silent-line.test.ts',
  'test/faults/zombie.test.ts',
  'test/processes.test.ts',
  'test/relay/streams/sockets.test.ts',
  'test/relay/dialects/untold-stops.test.ts',
  'test/starts.test.ts',
  'test/tasks/batch-money.test.ts',
  'test/tasks/channels.test.ts',
  'test/tasks/drawing-rules.test.ts',
  'test/tasks/money.test.ts',
])

/** `heavy` ones load and kill several whole programs all of their time: of these one runs at a time. */
export function kindOf(file: string): 'busy' | 'heavy' | 'waiting' {
  if (waitingFiles.has(file)) return 'waiting'
  return /^test\/(faults|sim)\//.test(file) ? 'heavy' : 'busy'
}

/**
 * Whose code is run too seldom to be worth compiling well. What drives a browser is at work all the time, and a program
 * under load is tried as its operator has it.
 */
export function isBrief(file: string): boolean {
  return !/^test\/(browser|faults|sim)\//.test(file)
}

/** Of those that wait or are heavy, the ones that take longest: begun late, one would be at work alone at the end. */
export const longestFiles = [
  'test/faults/database-stop.test.ts',
  'test/faults/clock.test.ts',
  'test/faults/lost-commit.test.ts',
  'test/api/channels/channel-rests.test.ts',
  'test/tasks/money.test.ts',
  'test/faults/disk-full.test.ts',
  'test/processes.test.ts',
  'test/faults/kill.test.ts',
  'test/faults/refill.test.ts',
]

export function longestFirst(files: readonly string[]): string[] {
  const long = longestFiles.filter(file => files.includes(file))
  return [...long, ...files.filter(file => !long.includes(file))]
}
