/**
 * Files of the built console by their name under `dist/console`, when they are carried inside the
 * executable. The build replaces this module; everywhere else the files are read from disk.
 */
export const embeddedConsole: Readonly<Record<string, string>> | undefined = undefined
