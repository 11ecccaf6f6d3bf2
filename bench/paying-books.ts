/** The books of the paying floor: a balance, a row for each charge, a row in a log and an hourly sum. */

import { Database } from 'bun:sqlite'
import { join } from 'node:path'

declare const self: Worker

interface Move {
  readonly id: string
  readonly kind: 'hold' | 'charge'
  readonly quota: number
}

const [folder = ''] = process.argv.slice(2)
const database = new Database(join(folder, 'books.db'), { create: true })
database.exec('pragma journal_mode = wal')
database.exec('pragma synchronous = full')
database.exec(`
  create table users (id integer primary key, quota integer not null);
  create table charges (id text primary key, held integer not null, quota integer not null) without rowid;
  create table logs (id integer primary key, created_at integer not null, quota integer not null, request_id text);
  create table hourly (hour integer primary key, quota integer not null);
  insert into users values (1, 1000000000000000);
`)
const take = database.prepare('update users set quota = quota - ? where id = 1')
const hold = database.prepare('insert into charges values (?, ?, 0)')
const charge = database.prepare(
  'insert into charges values (?, 0, ?) on conflict (id) do update set held = 0, quota = excluded.quota',
)
const log = database.prepare('insert into logs (created_at, quota, request_id) values (?, ?, ?)')
const sum = database.prepare(
  'insert into hourly values (?, ?) on conflict (hour) do update set quota = quota + excluded.quota',
)

const commit = database.transaction((moves: readonly Move[]) => {
  const now = Math.floor(Date.now() / 1000)
  let taken = 0
  for (const { id, kind, quota } of moves) {
    if (kind === 'hold') hold.run(id, quota)
    else {
      charge.run(id, quota)
      log.run(now, quota, id)
      taken += quota
    }
  }
  take.run(taken)
  sum.run(now - (now % 3600), taken)
})

self.onmessage = ({ data }) => {
  commit.immediate(JSON.parse(data))
  self.postMessage(0)
}
