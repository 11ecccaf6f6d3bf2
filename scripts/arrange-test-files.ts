/**
 * In which order the files start. A browser keeps a core busy where other whole programs mostly wait, so the two
 * kinds come by turns, each spread over all of the time; what needs no program is short and fills the end.
 */
export function arrangeTestFiles(files: readonly string[]): string[] {
  const kinds = Map.groupBy(files, file => {
    if (file.startsWith('test/browser/')) return 'browser'
    return file.startsWith('test/') ? 'program' : 'unit'
  })
  const spread = (kind: readonly string[] = []) =>
    kind.map((file, at) => ({ file, when: (at + 0.5) / kind.length }))
  const mixed = [...spread(kinds.get('browser')), ...spread(kinds.get('program'))]
  return [...mixed.sort((a, b) => a.when - b.when).map(({ file }) => file), ...(kinds.get('unit') ?? [])]
}
