// Apart from the rest: the address of the page is read with these before anything else of it is loaded.

export const rankingPeriods = ['day', 'week', 'month'] as const
export type RankingPeriod = (typeof rankingPeriods)[number]
export const rankingMeasures = ['tokens', 'calls'] as const
export type RankingMeasure = (typeof rankingMeasures)[number]
