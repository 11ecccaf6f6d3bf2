/** What a row of the log tells of. Apart from the calls, for what every page loads knows these. */
export const logTypes = { all: 0, topUp: 1, consumption: 2, admin: 3, system: 4, error: 5 } as const
