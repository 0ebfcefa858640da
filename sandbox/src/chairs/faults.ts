/** What goes wrong with a chair. All of it can be switched while it runs. */
export interface ChairFaults {
  /** `ignores`: it does not do what it is told and says nothing. `runs`: it does it, and says nothing. */
  silence: 'none' | 'ignores' | 'runs'
  /** Acknowledgements come this late. */
  ackDelayMs: number
  /** Acknowledgements and events come this often in all. */
  copies: number
  /** Away, its connection broken without a goodbye. */
  isOffline: boolean
  /** The connection breaks this long after each connecting; 0 never. */
  flapMs: number
  /** A trouble code; the chair refuses to start. */
  trouble: string
  /** One bar at most. */
  hasWeakSignal: boolean
  /** Says broken things in place of heartbeats. */
  isBroken: boolean
  /** Logs in with a wrong password. */
  hasWrongPassword: boolean
}

export const noFaults: ChairFaults = {
  silence: 'none',
  ackDelayMs: 0,
  copies: 1,
  isOffline: false,
  flapMs: 0,
  trouble: '',
  hasWeakSignal: false,
  isBroken: false,
  hasWrongPassword: false,
}

/** What a board with broken firmware might say. */
export const brokenPayloads = [
  '',
  '{"v":1,',
  'null',
  '[]',
  '{"v":7,"signal":3}',
  '{"v":1,"bootId":"b","signal":99,"network":"wifi"}',
  '{"v":1,"bootId":"b","signal":"3","network":"zigbee"}',
  `{"v":1,"text":"${'x'.repeat(1500)}"}`,
  '\u0000\u0001\u0002',
]
