const argon2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
/** Each hash takes 19 MiB and a core for a while: a burst of logins must not take the machine. */
const AT_ONCE = 2

let running = 0
const queue: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>(resolve => queue.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running--
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => Bun.password.hash(password, argon2))
}

/** What a password is compared with when there is no such user, so that both cases take the same time. */
let nobody: Promise<string> | undefined
function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(crypto.randomUUID())
  return nobody
}

export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const against = hash || (await nobodysHash())
  const matches = await inTurn(() => Bun.password.verify(password, against).catch(() => false))
  return matches && Boolean(hash)
}

/** As hashes for logins are made, of either kind; a dearer one could take the machine at every attempt. */
const bcryptForm = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const argon2Form = /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$/
const MOST = { bcryptCost: 14, argon2Memory: 131_072, argon2Time: 10, argon2Lanes: 8 } as const

/** Whether a hash of somebody else's may be compared with what people type. */
export function isKeepable(hash: string): boolean {
  const [, cost] = bcryptForm.exec(hash) ?? []
  if (cost !== undefined) return Number(cost) >= 4 && Number(cost) <= MOST.bcryptCost
  const [, memory, time, lanes] = argon2Form.exec(hash) ?? []
  if (memory === undefined) return false
  return (
    Number(memory) <= MOST.argon2Memory &&
    Number(time) <= MOST.argon2Time &&
    Number(lanes) <= MOST.argon2Lanes
  )
}

/** bcrypt comes from databases of the older tools; it is replaced when its owner next logs in. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith('$argon2id$')
}

/** Makes the first login as fast as the later ones. */
export async function warmPasswords(): Promise<void> {
  await nobodysHash()
}
