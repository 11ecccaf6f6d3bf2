import { type Program, until } from '../../program.ts'

const AWAY = 'each process counts alone'
const BACK = 'what is limited is counted there again'

const times = (programs: readonly Program[], words: string): number =>
  programs.reduce((sum, program) => sum + program.output().split(words).length - 1, 0)

export const timesAway = (programs: readonly Program[]): number => times(programs, AWAY)

/** Until all their processes that took Redis for gone have it again. */
export const allHaveRedis = (programs: readonly Program[]): Promise<boolean> =>
  until(() => times(programs, AWAY) === times(programs, BACK))

/**
 * What is seen while the programs count together. Redis has a quarter of a second to answer: on a busy machine it may
 * be late, and what is seen while each process counts alone says nothing. Then it is looked at again, from the beginning.
 */
export async function countedTogether(
  programs: () => readonly Program[],
  look: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await allHaveRedis(programs())
    const [before, looked] = [timesAway(programs()), programs()]
    try {
      return await look()
    } catch (error) {
      // What a program prints may come later than its answers.
      await Bun.sleep(1000)
      if (timesAway(looked) === before) throw error
    }
  }
}
