import { serveSqlite } from '../store/sqlite/serve-sqlite.ts'
import * as runMoves from './run-moves.ts'

serveSqlite(runMoves)
