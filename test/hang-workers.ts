/** Loaded into the program before its own code: a worker hangs at SIGUSR2, and its supervisor loses patience sooner. */

const SPEED = 20

if (process.argv.includes('worker'))
  process.on('SIGUSR2', () => {
    for (;;);
  })
else {
  const { setInterval: every } = globalThis
  const sooner = (work: () => void, ms = 0) => every(work, ms / SPEED)
  globalThis.setInterval = Object.assign(sooner as typeof setInterval, every)
}
