/** Whether this is the one executable, which brings its own runtime, and not the sources in a clone. */
export const isOneFile = import.meta.path.startsWith('/$bunfs/')
