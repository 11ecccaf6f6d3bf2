import { serveSqlite } from '../store/sqlite/serve-sqlite.ts'
import { fold, type PortionToFold } from './closing/fold.ts'
import * as runMoves from './run-moves.ts'

type Argument = runMoves.MovesToRun | PortionToFold

// Both by one thread, which has the database open to write: another would have to take its place each time.
serveSqlite<Argument>({
  reads: argument => ('moves' in argument ? runMoves.reads(argument) : fold.reads(argument)),
  decide: (found, argument) =>
    'moves' in argument ? runMoves.decide(found, argument) : fold.decide(found, argument),
})
