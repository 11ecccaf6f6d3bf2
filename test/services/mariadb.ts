import { join } from 'node:path'
import { type DatabaseServer, startDatabase } from './database-process.ts'
import { needProgram } from './find-program.ts'

/**
 * A private MariaDB. Commits reach the system at once and the disk later: they outlive the process. What is kept in
 * memory is little, for there are many of them; measurements ask for what an operator would give it.
 */
export function startMariadb({
  durable = false,
  bufferPool = '64M',
  /** As servers since 11.6 have it by themselves: who writes what has changed since they looked is taken back. */
  snapshotIsolation = false,
} = {}): Promise<DatabaseServer> {
  const mariadbd = needProgram('mariadbd', 'mysqld')
  const install = needProgram('mariadb-install-db', 'mysql_install_db')
  return startDatabase({
    name: 'mariadb',
    account: 'mysql',
    prepare: folder => [
      install,
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      '--auth-root-authentication-method=normal',
      `--tmpdir=${folder}`,
      '--skip-test-db',
      '--skip-name-resolve',
    ],
    command: (folder, port) => [
      mariadbd,
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--tmpdir=${folder}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--skip-log-bin',
      '--max-connections=200',
      `--innodb-buffer-pool-size=${bufferPool}`,
      // Hundreds of short-lived databases: a file for every table, and notes on disk of what is in it, take longer
      // than most of what is done with them.
      ...(durable ? [] : ['--innodb-file-per-table=0', '--innodb-stats-persistent=0']),
      `--innodb-flush-log-at-trx-commit=${durable ? 1 : 2}`,
      // Otherwise every table that is made waits for the disk several times. Loose: MySQL's own has no such word.
      ...(durable ? [] : ['--loose-debug-no-sync']),
      '--character-set-server=utf8mb4',
      ...(snapshotIsolation ? ['--loose-innodb-snapshot-isolation=ON'] : []),
    ],
    readyLine: /ready for connections/,
    orderly: 'SIGTERM',
    crash: 'SIGKILL',
    url: port => `mysql://root@127.0.0.1:${port}/mysql`,
  })
}
