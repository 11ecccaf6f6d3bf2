/** Contents of an interaction that may have an address in place of their data. */
export const mediaTypes: ReadonlySet<unknown> = new Set(['image', 'audio', 'video', 'document'])

/** What tells contents from steps, which have contents. */
export const contentTypes: ReadonlySet<unknown> = new Set(['text', ...mediaTypes])
