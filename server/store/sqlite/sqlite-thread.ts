import { serveSqlite } from './serve-sqlite.ts'

serveSqlite()
