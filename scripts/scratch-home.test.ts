import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { ROOM_NEEDED, scratchHome } from './scratch-home.ts'

const disk = '/dev/sda1 / ext4 rw,relatime 0 0'
const open = 'tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0'
const closed = 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime 0 0'
const home = (mounts: string[], room = ROOM_NEEDED) => scratchHome('', { mounts: mounts.join('\n'), room })

test('what a run writes lies in memory where there is enough of it', () => {
  expect(home([disk, open])).toBe('/dev/shm')
  expect(home([disk, open], ROOM_NEEDED - 1)).toBe(tmpdir())
})

test('not where nothing may be started, nor where that folder is no memory', () => {
  expect(home([disk, closed])).toBe(tmpdir())
  expect(home([disk, open, closed])).toBe(tmpdir())
  expect(home([disk, closed, open])).toBe('/dev/shm')
  expect(home([disk])).toBe(tmpdir())
  expect(home([disk, '/dev/sdb /dev/shm ext4 rw 0 0'])).toBe(tmpdir())
  expect(home([disk, 'tmpfs /dev/shm tmpfs ro 0 0'])).toBe(tmpdir())
})

test('whoever names a folder has that', () => {
  expect(scratchHome('/mnt/large', { mounts: open, room: ROOM_NEEDED })).toBe('/mnt/large')
})
