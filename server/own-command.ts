/** Whether this is the one executable, which brings its own runtime, and not the sources in a clone. */
export const isOneFile = import.meta.path.startsWith('/$bunfs/')

/** How somebody types a command here: beside the executable there is no npm. */
export function ownCommand(name: 'audit' | 'import'): string {
  return isOneFile ? `tollgate ${name}` : `npm run ${name}`
}
