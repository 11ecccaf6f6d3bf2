import { queryOptions } from '@tanstack/react-query'
import { optionEndpoints } from '../../../contract/options.ts'
import { call } from '../../api.ts'

export interface Options {
  /** As text, the way they travel. */
  readonly values: Readonly<Record<string, string>>
  /** Of what is saved; secrets have none. */
  readonly revisions: Readonly<Record<string, string>>
  readonly secretsSet: ReadonlySet<string>
}

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: async ({ signal }): Promise<Options> => {
    const answer = await call(optionEndpoints.listOptions, { signal })
    return {
      values: Object.fromEntries(answer.data.map(({ key, value }) => [key, value])),
      revisions: Object.fromEntries(answer.data.map(({ key, revision }) => [key, revision])),
      secretsSet: new Set(answer.secrets_set),
    }
  },
})
