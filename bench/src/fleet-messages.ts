/* What a measurement and a process with simulated boards say to each other. */

export interface BoardLogin {
  sid: string
  password: string
}

/** Says how many boards are connected, and what it took. */
export interface FleetCounts {
  connected: number
  /** Connections that were begun, whatever came of them. */
  attempts: number
}

/** What came of some heartbeats. */
export interface Beaten {
  sent: number
  acknowledged: number
  /** From the first that was sent to the last that was acknowledged. */
  milliseconds: number
  /** By device id: the number of the last heartbeat that was acknowledged. */
  lastAcknowledged: [sid: string, number: number][]
}

export type FleetOrder =
  | { order: 'connect'; mqttUrl: string; boards: BoardLogin[] }
  | { order: 'count' }
  /** All lose their connections at once. */
  | { order: 'dropLines' }
  /** Each board says so many heartbeats, one after the other; `atOnce` of all boards are unconfirmed at a time. */
  | { order: 'beat'; bootId: string; perBoard: number; atOnce: number }

export type FleetAnswer = { counts: FleetCounts } | { beaten: Beaten } | { connectedInMs: number }
