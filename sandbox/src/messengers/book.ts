/* What the played messengers know: robots, and what they were sent. */

export type Messenger = 'weCom' | 'dingTalk' | 'feishu' | 'webhook' | 'email'

/** `refuse`: for good, by the commonest mistake of its kind; `busy`: for now; `silent`: takes it and never answers. */
export type Fault = 'refuse' | 'busy' | 'silent'

export interface RobotToAdd {
  /** The address of a mailbox, else what stands in the URL. */
  key: string
  secret?: string
  /** Messages without it are refused. */
  keyword?: string
}

export interface Robot {
  messenger: Messenger
  key: string
  secret: string | null
  keyword: string | null
  fault: Fault | null
  /** When it was asked lately. */
  askedAt: number[]
}

/** A message that arrived. */
export interface ReceivedMessage {
  messenger: Messenger
  /** The robot's key, or the mailbox. */
  robot: string
  at: Date
  /** As its reader sees it, more or less. */
  text: string
  /** As it came over the wire; of a mail its source. */
  body: string
}

export interface MessengerBook {
  /** The newest last. */
  messages: ReceivedMessage[]
  addRobot(messenger: Messenger, robot: RobotToAdd): Robot
  find(messenger: Messenger, key: string): Robot | undefined
  keep(message: Omit<ReceivedMessage, 'at'>): void
}

const mostMessages = 1000

export function openBook(): MessengerBook {
  const robots = new Map<string, Robot>()
  const messages: ReceivedMessage[] = []
  const idOf = (messenger: Messenger, key: string) => `${messenger} ${key}`
  return {
    messages,
    addRobot(messenger, { key, secret, keyword }) {
      const robot: Robot = {
        messenger,
        key,
        secret: secret ?? null,
        keyword: keyword ?? null,
        fault: null,
        askedAt: [],
      }
      robots.set(idOf(messenger, key), robot)
      return robot
    },
    find: (messenger, key) => robots.get(idOf(messenger, key)),
    keep(message) {
      messages.push({ ...message, at: new Date() })
      messages.splice(0, messages.length - mostMessages)
    },
  }
}

/** Whether a robot is asked more often in a minute than its messenger allows; counts this time too. */
export function isTooOften(robot: Robot, mostInAMinute: number): boolean {
  const now = Date.now()
  robot.askedAt = robot.askedAt.filter((at) => at > now - 60_000)
  if (robot.askedAt.length >= mostInAMinute) return true
  robot.askedAt.push(now)
  return false
}
