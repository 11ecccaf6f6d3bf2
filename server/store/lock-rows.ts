import type { Engine } from './engine.ts'

/**
 * For `$call` of a query: the rows that it finds stay as they are until its transaction ends. SQLite has no words for
 * that and needs none, since it lets in one transaction at a time.
 */
export function lockedOn(engine: Engine): <Query extends { forUpdate(): Query }>(query: Query) => Query {
  return query => (engine === 'sqlite' ? query : query.forUpdate())
}
